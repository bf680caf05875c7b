// Modules and executables for tests of import and export.
#ifndef THUNKY_COMPILER_TRANSLATE_TEST_MODULES_H_
#define THUNKY_COMPILER_TRANSLATE_TEST_MODULES_H_

#include <memory>
#include <optional>
#include <string>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "thunky/compiler/library/diagnostics.h"
#include "thunky/compiler/translate/export.h"
#include "thunky/container/executable_file.h"

namespace thunky::compiler {

// A context whose diagnostics are kept.
class TestCompiler {
 public:
  TestCompiler();

  // Null when it fails; diagnostics() says why.
  mlir::OwningOpRef<mlir::ModuleOp> import(ExecutableFile file);
  mlir::OwningOpRef<mlir::ModuleOp> read(const std::string& module);
  // Changes the module. Nothing when it fails.
  std::optional<ExecutableFile> exportFrom(
      mlir::ModuleOp module, CodePlacement code = CodePlacement::kCubinFirst,
      bool complete = false);
  // Of a module in text. A failure of the test, and an empty executable, when it is
  // refused.
  wire::GpuExecutableProto exportText(const std::string& module);
  // The diagnostics of reading and exporting a module; empty when it is not refused.
  std::string errorOf(const std::string& module);

  const std::string& diagnostics() const { return diagnostics_; }
  mlir::MLIRContext* context() { return &context_; }

 private:
  std::string diagnostics_;
  mlir::MLIRContext context_;
  DiagnosticCollector collector_;
};

// The file of a bare executable.
ExecutableFile bareFile(wire::GpuExecutableProto executable);

// "thunky.memzero, thunky.copy": the operations of @main's body that become thunks, in
// pre-order.
std::string thunkOpsOf(mlir::ModuleOp module);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_TEST_MODULES_H_
