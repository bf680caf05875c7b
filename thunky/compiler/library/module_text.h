// Modules as text and as bytecode.
#ifndef THUNKY_COMPILER_LIBRARY_MODULE_TEXT_H_
#define THUNKY_COMPILER_LIBRARY_MODULE_TEXT_H_

#include <string>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"

namespace thunky::compiler {

// The dialects that a module may use: func and thunky.
void registerDialects(mlir::DialectRegistry& registry);

// Parses and verifies a module. `name` is the file's, for locations. Null, with
// diagnostics, when the content is no valid module, or one that text_check.h refuses.
// Bytecode is trusted input: MLIR's reader does not stand up to damaged bytes.
mlir::OwningOpRef<mlir::ModuleOp> readModule(mlir::MLIRContext* context,
                                             llvm::StringRef name,
                                             llvm::StringRef content);

// With `elide`, blobs and long constants are left out, and the text is for reading
// only.
std::string writeText(mlir::ModuleOp module, bool elide);
std::string writeBytecode(mlir::ModuleOp module);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_LIBRARY_MODULE_TEXT_H_
