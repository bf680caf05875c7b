// What kernels a piece of code holds.
#ifndef THUNKY_COMPILER_DIALECT_KERNEL_CODE_CACHE_H_
#define THUNKY_COMPILER_DIALECT_KERNEL_CODE_CACHE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Attributes.h"

namespace thunky::compiler {

// The bytes of an attribute that holds code or data: a string, or dense elements or a
// resource of bytes. Nothing for other attributes, and for a resource whose content is
// missing (text that was printed with large blobs left out).
std::optional<llvm::StringRef> bytesOf(mlir::Attribute attribute);

struct KernelCodeContents {
  // Empty, or why the code cannot be read.
  std::string error;
  // Entries, with the number of parameters where the code states it.
  std::map<std::string, std::optional<int64_t>, std::less<>> kernels;
};

// Reads code once, however many kernels use it. Attributes live as long as their
// context, and so does this. Thread-safe.
class KernelCodeCache {
 public:
  std::shared_ptr<const KernelCodeContents> ptx(mlir::Attribute code);
  std::shared_ptr<const KernelCodeContents> cubin(mlir::Attribute code);

 private:
  std::mutex mutex_;
  llvm::DenseMap<mlir::Attribute, std::shared_ptr<const KernelCodeContents>> contents_;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_KERNEL_CODE_CACHE_H_
