// Kernel code of an executable as symbols of the module.
#ifndef THUNKY_COMPILER_TRANSLATE_CODE_IMPORTER_H_
#define THUNKY_COMPILER_TRANSLATE_CODE_IMPORTER_H_

#include <map>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "proto/executable.pb.h"

namespace thunky::compiler {

// Adds a kernel_code for each piece of code, once for equal content.
class CodeImporter {
 public:
  // Takes the private table out of `executable`, which must outlive this.
  CodeImporter(mlir::ModuleOp module, wire::GpuExecutableProto& executable);

  // The symbol with the code of `spec`, which is moved out of it. Null when `spec` has
  // none (an in-process symbol), or one that cannot be read, which then stays.
  mlir::FlatSymbolRefAttr take(wire::KernelLoaderSpecProto& spec);

  // The symbol with the code of the whole module, when it has this kernel; else null.
  mlir::FlatSymbolRefAttr moduleCode(llvm::StringRef kernel);

 private:
  // The symbol with this content, new or known. The content is moved out.
  mlir::FlatSymbolRefAttr add(llvm::StringRef kernel, wire::KernelCodeProto& code);
  std::string uniqueName(llvm::StringRef kernel);

  mlir::OpBuilder builder_;
  // By the hash of the content (schema/code_table.h).
  std::map<std::string, mlir::FlatSymbolRefAttr> symbols_;
  llvm::StringSet<> names_;
  // The private table, by its hashes.
  std::map<std::string, wire::KernelCodeProto> table_;
  const wire::GpuExecutableProto& executable_;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_CODE_IMPORTER_H_
