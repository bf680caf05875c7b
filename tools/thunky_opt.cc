// The MLIR optimiser driver with the thunky dialect and its passes.
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/transforms/passes.h"

int main(int argc, char** argv) {
  mlir::registerInliner();
  mlir::registerCanonicalizer();
  mlir::registerCSE();
  mlir::registerSymbolDCE();
  mlir::registerStripDebugInfo();
  thunky::compiler::registerThunkyPasses();
  mlir::DialectRegistry registry;
  thunky::compiler::registerDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "thunky modules\n", registry));
}
