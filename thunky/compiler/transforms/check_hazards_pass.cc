// The pass thunky-check-hazards.
#include "thunky/compiler/analysis/hazards.h"
#include "thunky/compiler/transforms/passes.h"
#include "thunky/compiler/translate/program_parts.h"

namespace thunky::compiler {

#define GEN_PASS_DEF_CHECKHAZARDSPASS
#include "thunky/compiler/transforms/passes.h.inc"

namespace {

class CheckHazardsPass : public impl::CheckHazardsPassBase<CheckHazardsPass> {
 public:
  using CheckHazardsPassBase::CheckHazardsPassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    mlir::FailureOr<mlir::func::FuncOp> main = findMain(getOperation());
    if (mlir::failed(main)) return signalPassFailure();
    // Calls are inlined in a copy: a check changes nothing.
    mlir::OwningOpRef<mlir::ModuleOp> copy;
    if (hasCalls(*main)) {
      copy = getOperation().clone();
      main = inlinedMain(*copy);
      if (mlir::failed(main)) return signalPassFailure();
    }
    const mlir::FailureOr<HazardReport> report = findHazards(*main);
    if (mlir::failed(report)) return signalPassFailure();
    emitDiagnostics(*main, *report);
    if (report->errors > 0) signalPassFailure();
  }
};

}  // namespace
}  // namespace thunky::compiler
