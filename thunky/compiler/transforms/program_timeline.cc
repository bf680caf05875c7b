#include "thunky/compiler/transforms/program_timeline.h"

#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {

class ProgramTimeline::Builder {
 public:
  Builder(ProgramTimeline& timeline, mlir::func::FuncOp main,
          llvm::ArrayRef<unsigned> scratch)
      : timeline_(timeline), main_(main) {
    timeline.uses_.resize(scratch.size());
    for (const auto& [index, number] : llvm::enumerate(scratch)) {
      scratch_[main.getArgument(number)] = index;
    }
  }

  llvm::LogicalResult run() {
    if (mlir::failed(visit(main_.getBody().front(), timeline_.main_))) {
      return mlir::failure();
    }
    settleEnds();
    return mlir::success();
  }

 private:
  llvm::LogicalResult visit(mlir::Block& block, TimeList& list) {
    list.slots.first = next_++;
    for (mlir::Operation& op : block) {
      if (llvm::isa<SliceBufferOp, ConstantOp, YieldOp, mlir::func::ReturnOp>(op)) {
        continue;
      }
      if (!llvm::isa<ThunkOpInterface>(op)) {
        return op.emitOpError(
            "is no thunk, so that it cannot be seen which buffers it "
            "uses; calls must be inlined first");
      }
      const int64_t slot = next_++;
      TimeScope* scope = nullptr;
      if (op.getNumRegions() != 0) {
        scope = &timeline_.scopes_.emplace_back();
        scope->op = &op;
        scope->list = &list;
        scope->slots.first = slot;
        scope->lists.resize(op.getNumRegions());
      }
      addUses(&op, {slot, &list, scope});
      if (scope != nullptr && mlir::failed(visitRegions(*scope))) return mlir::failure();
      if (auto done = llvm::dyn_cast<AsyncDoneOp>(op)) noteJoin(done, slot, &list);
    }
    list.slots.last = next_++;
    return mlir::success();
  }

  llvm::LogicalResult visitRegions(TimeScope& scope) {
    for (auto [region, list] : llvm::zip_equal(scope.op->getRegions(), scope.lists)) {
      list.owner = &scope;
      if (mlir::failed(visit(region.front(), list))) return mlir::failure();
    }
    scope.slots.last = next_++;
    scope.finished = scope.slots.last;
    if (auto start = llvm::dyn_cast<AsyncStartOp>(scope.op)) {
      starts_[start.getToken()] = &scope;
    }
    return mlir::success();
  }

  // `at` has the place of the operation.
  void addUses(mlir::Operation* op, BufferUse at) {
    llvm::SmallPtrSet<void*, 8> unseen;
    for (const mlir::Value operand : op->getOperands()) {
      if (!llvm::isa<BufferType>(operand.getType())) continue;
      const BufferRange range = resolveBuffer(operand);
      if (scratch_.contains(range.root)) unseen.insert(range.root.getAsOpaquePointer());
    }
    if (unseen.empty()) return;
    llvm::SmallVector<BufferAccess> accesses;
    llvm::cast<ThunkOpInterface>(op).getAccesses(accesses);
    for (const BufferAccess& access : accesses) {
      unseen.erase(access.range.root.getAsOpaquePointer());
      addUse(access.range, access.mode, at);
    }
    // What a payload names and no rule knows as an access may be one.
    for (const mlir::Value operand : op->getOperands()) {
      if (!llvm::isa<BufferType>(operand.getType())) continue;
      const BufferRange range = resolveBuffer(operand);
      if (unseen.contains(range.root.getAsOpaquePointer())) {
        addUse(range, schema::AccessMode::kReadWrite, at);
      }
    }
  }

  void addUse(const BufferRange& range, schema::AccessMode mode, BufferUse at) {
    const auto found = scratch_.find(range.root);
    if (found == scratch_.end() || range.size == 0) return;
    at.offset = range.offset;
    at.size = range.size;
    at.mode = mode;
    timeline_.uses_[found->second].push_back(at);
  }

  // The work ends at `slot`, or with the scope beside its start that the join is in.
  void noteJoin(AsyncDoneOp done, int64_t slot, const TimeList* list) {
    TimeScope* start = starts_.lookup(done.getToken());
    if (start == nullptr) return;  // not verified
    TimeScope* around = nullptr;
    while (list != start->list && list->owner != nullptr) {
      around = list->owner;
      list = around->list;
    }
    start->finished = std::max(start->finished, slot);
    if (around != nullptr) joinedIn_[start] = around;
  }

  // Work that is joined in the body of other work ends with that, which is started later.
  void settleEnds() {
    for (TimeScope& scope : llvm::reverse(timeline_.scopes_)) {
      const TimeScope* around = joinedIn_.lookup(&scope);
      if (around != nullptr) scope.finished = std::max(scope.finished, around->finished);
    }
  }

  ProgramTimeline& timeline_;
  mlir::func::FuncOp main_;
  llvm::DenseMap<mlir::Value, size_t> scratch_;
  llvm::DenseMap<mlir::Value, TimeScope*> starts_;
  llvm::DenseMap<const TimeScope*, const TimeScope*> joinedIn_;
  int64_t next_ = 0;
};

llvm::LogicalResult ProgramTimeline::build(mlir::func::FuncOp main,
                                           llvm::ArrayRef<unsigned> scratch) {
  return Builder(*this, main, scratch).run();
}

}  // namespace thunky::compiler
