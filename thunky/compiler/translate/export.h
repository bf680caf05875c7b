// Modules become executables.
#ifndef THUNKY_COMPILER_TRANSLATE_EXPORT_H_
#define THUNKY_COMPILER_TRANSLATE_EXPORT_H_

#include <string>

#include "mlir/IR/BuiltinOps.h"
#include "thunky/compiler/translate/code_exporter.h"
#include "thunky/container/executable_file.h"

namespace thunky::compiler {

struct ExportOptions {
  CodePlacement code = CodePlacement::kCubinFirst;
  // "9.0a": the GPU that a program of its own is for. Empty: what the module's
  // attribute says. An imported program keeps the one it has.
  std::string computeCapability;
};

// The executable that a module is: of an imported program everything it had, of another
// one what its operations say. The module is changed on the way: calls are inlined.
// With `complete` the file has all three parts. Fails with diagnostics.
mlir::FailureOr<ExecutableFile> exportModule(mlir::ModuleOp module,
                                             const ExportOptions& options, bool complete);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_EXPORT_H_
