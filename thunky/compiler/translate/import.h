// Executables become modules.
#ifndef THUNKY_COMPILER_TRANSLATE_IMPORT_H_
#define THUNKY_COMPILER_TRANSLATE_IMPORT_H_

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "thunky/container/executable_file.h"

namespace thunky::compiler {

// The module of an executable, verified. Null when the executable is not well formed
// or says something that a module cannot; diagnostics of the context begin with `name`
// and say where: "allocation 3", "thunks[2].while.body[1]". The thunky and func
// dialects must be loaded.
mlir::OwningOpRef<mlir::ModuleOp> importExecutable(mlir::MLIRContext* context,
                                                   llvm::StringRef name,
                                                   ExecutableFile file);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_IMPORT_H_
