// Gives kernels the code that lies in files.
#ifndef THUNKY_COMPILER_TRANSFORMS_ATTACH_KERNELS_H_
#define THUNKY_COMPILER_TRANSFORMS_ATTACH_KERNELS_H_

#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "thunky/code/ptx_library.h"

namespace thunky::compiler {

// Puts PTX from the library beside the code of kernels that have none, by entry name.
// A file is stored once, however many kernels it serves. Fails with a diagnostic when
// the entry does not fit a launch: parameters, block size, or that kernels which share
// their code find their entries in different files. Warns of files that nothing uses.
llvm::LogicalResult attachKernels(mlir::ModuleOp module, const code::PtxLibrary& library);

// Reads the files that kernel_code operations name, relative to `folder`, and puts
// their content in their place. Fails with a diagnostic for a file that cannot be read,
// is no regular file, or holds no code that fits the operations that use it.
llvm::LogicalResult readCodeFiles(mlir::ModuleOp module, llvm::StringRef folder);

// The bytes of a regular file of at most 256 MiB; the error does not name it.
absl::StatusOr<std::string> readCodeFile(llvm::StringRef path);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSFORMS_ATTACH_KERNELS_H_
