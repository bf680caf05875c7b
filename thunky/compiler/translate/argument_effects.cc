#include "thunky/compiler/translate/argument_effects.h"

#include <cstdint>
#include <map>
#include <utility>

#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/byte_set.h"

namespace thunky::compiler {
namespace {

// Bytes of each argument that are written by now, on every path.
using Written = std::map<unsigned, ByteSet>;

class EffectAnalysis {
 public:
  explicit EffectAnalysis(mlir::func::FuncOp main)
      : main_(main), effects_(main.getNumArguments()), dependsOnOld_(effects_.size()) {}

  std::vector<ArgumentEffect> run() {
    Written written;
    visit(main_.getBody().front(), written);
    for (unsigned i = 0; i < effects_.size(); ++i) {
      const int64_t size =
          llvm::cast<BufferType>(main_.getArgument(i).getType()).getSize();
      effects_[i].overwritten =
          effects_[i].written && !dependsOnOld_[i] && written[i].covers(0, size);
    }
    return std::move(effects_);
  }

 private:
  void visit(mlir::Block& block, Written& written) {
    for (mlir::Operation& op : block) {
      auto thunk = llvm::dyn_cast<ThunkOpInterface>(op);
      if (!thunk) continue;
      llvm::SmallVector<BufferAccess> accesses;
      thunk.getAccesses(accesses);
      noteReads(accesses, written);
      noteWrites(accesses, written);
      visitRegions(op, written);
    }
  }

  // The argument of an access; nothing for constants.
  static std::optional<unsigned> argumentOf(const BufferAccess& access) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(access.range.root);
    if (!argument || access.range.size == 0) return std::nullopt;
    return argument.getArgNumber();
  }

  void noteReads(llvm::ArrayRef<BufferAccess> accesses, Written& written) {
    for (const BufferAccess& access : accesses) {
      const std::optional<unsigned> number = argumentOf(access);
      if (!number || access.mode == schema::AccessMode::kWriteAll) continue;
      if (access.mode != schema::AccessMode::kWrite) effects_[*number].read = true;
      const int64_t begin = access.range.offset;
      if (!written[*number].covers(begin, begin + access.range.size)) {
        dependsOnOld_[*number] = true;
      }
    }
  }

  void noteWrites(llvm::ArrayRef<BufferAccess> accesses, Written& written) {
    for (const BufferAccess& access : accesses) {
      const std::optional<unsigned> number = argumentOf(access);
      if (!number || !schema::Writes(access.mode)) continue;
      effects_[*number].written = true;
      if (access.mode != schema::AccessMode::kWriteAll) continue;
      written[*number].add(access.range.offset, access.range.offset + access.range.size);
    }
  }

  void visitRegions(mlir::Operation& op, Written& written) {
    if (auto cond = llvm::dyn_cast<CondOp>(op)) {
      visitBranches(cond, written);
    } else if (auto loop = llvm::dyn_cast<WhileOp>(op)) {
      visitLoop(loop, written);
    } else if (auto start = llvm::dyn_cast<AsyncStartOp>(op)) {
      // What the body writes is there for others once it is joined.
      Written inside = written;
      visit(start.getBody().front(), inside);
      pending_[start.getToken()] = std::move(inside);
    } else if (auto done = llvm::dyn_cast<AsyncDoneOp>(op)) {
      for (auto& [number, bytes] : pending_[done.getToken()]) {
        written[number].add(bytes);
      }
      pending_.erase(done.getToken());
    } else if (auto group = llvm::dyn_cast<CollectiveGroupOp>(op)) {
      visitGroup(group, written);
    }
  }

  void visitBranches(CondOp cond, Written& written) {
    std::optional<Written> onAll;
    for (mlir::Region& branch : cond.getBranches()) {
      Written inside = written;
      visit(branch.front(), inside);
      if (!onAll.has_value()) {
        onAll = std::move(inside);
        continue;
      }
      for (auto& [number, bytes] : *onAll) bytes = bytes.intersect(inside[number]);
    }
    if (onAll.has_value()) written = *std::move(onAll);
  }

  // The condition region runs at least once without a trip count; the body may not.
  void visitLoop(WhileOp loop, Written& written) {
    if (loop.getTripCount() == std::optional<uint64_t>(0)) return;
    if (!loop.getTripCount()) visit(loop.getCond().front(), written);
    Written inside = written;
    visit(loop.getBody().front(), inside);
    if (loop.getTripCount()) {
      written = std::move(inside);
    } else {
      visit(loop.getCond().front(), inside);
    }
  }

  // Members run in no order: each may read before another writes.
  void visitGroup(CollectiveGroupOp group, Written& written) {
    llvm::SmallVector<BufferAccess> accesses;
    for (mlir::Operation& op : group.getBody().front()) {
      if (auto thunk = llvm::dyn_cast<ThunkOpInterface>(op)) thunk.getAccesses(accesses);
    }
    noteReads(accesses, written);
    noteWrites(accesses, written);
  }

  mlir::func::FuncOp main_;
  std::vector<ArgumentEffect> effects_;
  std::vector<bool> dependsOnOld_;
  llvm::DenseMap<mlir::Value, Written> pending_;
};

}  // namespace

std::vector<ArgumentEffect> effectsOf(mlir::func::FuncOp main) {
  return EffectAnalysis(main).run();
}

}  // namespace thunky::compiler
