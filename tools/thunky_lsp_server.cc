// The MLIR language server with the thunky dialect, for editors.
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "thunky/compiler/library/module_text.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  thunky::compiler::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry)) ? 1 : 0;
}
