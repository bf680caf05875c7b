// The pass thunky-assign-scratch.
#include "thunky/compiler/transforms/assign_scratch.h"
#include "thunky/compiler/transforms/passes.h"

namespace thunky::compiler {

#define GEN_PASS_DEF_ASSIGNSCRATCHPASS
#include "thunky/compiler/transforms/passes.h.inc"

namespace {

class AssignScratchPass : public impl::AssignScratchPassBase<AssignScratchPass> {
  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    const mlir::FailureOr<ScratchReport> report = assignScratch(module);
    if (mlir::failed(report)) return signalPassFailure();
    mlir::emitRemark(module.getLoc())
        << "scratch: " << report->buffers
        << (report->buffers == 1 ? " buffer" : " buffers") << ", " << report->bytesBefore
        << " bytes before, " << report->bytesAfter << " after";
  }
};

}  // namespace
}  // namespace thunky::compiler
