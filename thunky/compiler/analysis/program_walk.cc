#include "thunky/compiler/analysis/program_walk.h"

#include <optional>
#include <utility>

#include "mlir/Interfaces/CallInterfaces.h"

namespace thunky::compiler {
namespace {

class Walk {
 public:
  explicit Walk(llvm::ArrayRef<ProgramObserver*> observers) : observers_(observers) {}

  llvm::LogicalResult region(mlir::Region& region) {
    if (++depth_ > kMaxWalkDepth) {
      return region.getParentOp()->emitOpError("is nested in more than ")
             << kMaxWalkDepth << " regions; at most so many are allowed";
    }
    for (mlir::Operation& op : region.front()) {
      if (mlir::failed(operation(op))) return mlir::failure();
    }
    --depth_;
    return mlir::success();
  }

 private:
  llvm::LogicalResult operation(mlir::Operation& op) {
    if (llvm::isa<mlir::CallOpInterface>(op)) {
      return op.emitOpError("is a call; hazards are looked for once calls are inlined");
    }
    auto thunk = llvm::dyn_cast<ThunkOpInterface>(op);
    if (!thunk) return mlir::success();
    if (auto cond = llvm::dyn_cast<CondOp>(op)) return choice(cond);
    if (auto loop = llvm::dyn_cast<WhileOp>(op)) return this->loop(loop);
    if (auto start = llvm::dyn_cast<AsyncStartOp>(op)) return async(start);
    if (auto group = llvm::dyn_cast<CollectiveGroupOp>(op)) {
      for (mlir::Operation& member : group.getBody().front()) add(&member);
    } else {
      add(&op);
    }
    step();
    if (auto done = llvm::dyn_cast<AsyncDoneOp>(op)) {
      tell([&](ProgramObserver& observer) { observer.join(done); });
    }
    return mlir::success();
  }

  llvm::LogicalResult choice(CondOp cond) {
    add(cond);
    step();
    tell([&](ProgramObserver& observer) { observer.beginChoice(cond); });
    for (mlir::Region& branch : cond.getBranches()) {
      tell([](ProgramObserver& observer) { observer.beginPath(); });
      if (mlir::failed(region(branch))) return mlir::failure();
      tell([](ProgramObserver& observer) { observer.endPath(); });
    }
    tell([](ProgramObserver& observer) { observer.endChoice(); });
    return mlir::success();
  }

  llvm::LogicalResult loop(WhileOp loop) {
    const std::optional<uint64_t> trips = loop.getTripCount();
    if (trips == std::optional<uint64_t>(0)) return mlir::success();
    tell([](ProgramObserver& observer) { observer.beginLoop(); });
    if (!trips.has_value()) {
      // With a trip count nothing looks at the condition.
      if (mlir::failed(region(loop.getCond()))) return mlir::failure();
      add(loop);
      step();
    }
    tell([&](ProgramObserver& observer) {
      observer.beginBody(trips.has_value(), !trips.has_value() || *trips > 1);
    });
    if (mlir::failed(region(loop.getBody()))) return mlir::failure();
    tell([](ProgramObserver& observer) { observer.endBody(); });
    return mlir::success();
  }

  llvm::LogicalResult async(AsyncStartOp start) {
    tell([&](ProgramObserver& observer) { observer.beginAsync(start); });
    if (mlir::failed(region(start.getBody()))) return mlir::failure();
    tell([&](ProgramObserver& observer) { observer.endAsync(start); });
    return mlir::success();
  }

  void add(mlir::Operation* op) {
    auto thunk = llvm::dyn_cast<ThunkOpInterface>(op);
    if (!thunk) return;
    llvm::SmallVector<BufferAccess> accesses;
    thunk.getAccesses(accesses);
    for (unsigned i = 0; i < accesses.size(); ++i) {
      if (accesses[i].range.size == 0) continue;
      accesses_.push_back({op, i, std::move(accesses[i])});
    }
  }

  void step() {
    if (accesses_.empty()) return;
    tell([&](ProgramObserver& observer) { observer.step(accesses_); });
    accesses_.clear();
  }

  void tell(llvm::function_ref<void(ProgramObserver&)> event) {
    for (ProgramObserver* observer : observers_) {
      if (!observer->stopped()) event(*observer);
    }
  }

  llvm::ArrayRef<ProgramObserver*> observers_;
  llvm::SmallVector<StepAccess> accesses_;
  int depth_ = 0;
};

}  // namespace

llvm::LogicalResult walkProgram(mlir::func::FuncOp main,
                                llvm::ArrayRef<ProgramObserver*> observers) {
  return Walk(observers).region(main.getBody());
}

}  // namespace thunky::compiler
