// Kernel code of one module in another.
#ifndef THUNKY_COMPILER_TRANSFORMS_CODE_MERGER_H_
#define THUNKY_COMPILER_TRANSFORMS_CODE_MERGER_H_

#include <map>
#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {

// What pieces of code hold, so that equal ones are found whatever they are called. Reads
// each attribute once: attributes live as long as their context.
class CodeContents {
 public:
  // Equal for operations with the same PTX, cubins and names of files.
  const std::string& of(KernelCodeOp op);

  // The first name after `stem` that no symbol of the module has: stem_0, stem_1, ...
  // Those that were given out before are not tried again.
  std::string uniqueName(mlir::ModuleOp module, llvm::StringRef stem);

 private:
  llvm::DenseMap<mlir::Attribute, std::string> contents_;
  llvm::StringMap<int> numbers_;
};

// Gives the host the code that a callee's operations use. Lives for one merge: nobody
// else changes the host's symbols meanwhile.
class CodeMerger {
 public:
  CodeMerger(CodeContents& contents, mlir::ModuleOp host, mlir::ModuleOp callee)
      : contents_(contents), host_(host), callee_(callee) {}

  // The host's symbol for a symbol of the callee, which is added to the host where no
  // code there is equal. A symbol that is no code stays.
  mlir::FlatSymbolRefAttr merged(mlir::FlatSymbolRefAttr symbol);

 private:
  mlir::FlatSymbolRefAttr add(KernelCodeOp code);

  CodeContents& contents_;
  mlir::ModuleOp host_;
  mlir::ModuleOp callee_;
  // Of the host, by content; empty until something is looked for.
  std::map<std::string, KernelCodeOp> known_;
  KernelCodeOp last_;  // of the host
  bool listed_ = false;
  llvm::DenseMap<mlir::Attribute, mlir::FlatSymbolRefAttr> merged_;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSFORMS_CODE_MERGER_H_
