// Collectives that branches issue in different orders.
#ifndef THUNKY_COMPILER_ANALYSIS_COLLECTIVE_ORDER_H_
#define THUNKY_COMPILER_ANALYSIS_COLLECTIVE_ORDER_H_

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "thunky/compiler/analysis/program_walk.h"

namespace thunky::compiler {

// Two branches of a cond, by number, that devices may take at once, and what they
// issue differently.
struct OrderMismatch {
  CondOp cond;
  unsigned branch;
  unsigned other;
  // Null where a branch is at its end.
  mlir::Operation* first;
  mlir::Operation* second;
  // Both branches have the two collectives, in different orders; otherwise one lacks
  // what the other issues.
  bool reordered;
};

// Compares the branches of each cond, those of conds inside included. Two collectives
// are the same when their thunks are, but for where their buffers lie: kind, element
// types, groups, mode and sizes. A group is one collective; its members have no order.
// Where branches differ, the longest one stands for the cond in what is around it. A
// loop counts as one round.
class CollectiveOrder : public ProgramObserver {
 public:
  void step(llvm::ArrayRef<StepAccess> accesses) override;
  void beginChoice(CondOp cond) override;
  void beginPath() override;
  void endPath() override;
  void endChoice() override;
  void beginLoop() override {}
  void beginBody(bool, bool) override {}
  void endBody() override {}
  void beginAsync(AsyncStartOp) override {}
  void endAsync(AsyncStartOp) override {}
  void join(AsyncDoneOp) override {}

  const std::vector<OrderMismatch>& mismatches() const { return mismatches_; }

 private:
  struct Issue {
    mlir::Operation* op;
    unsigned identity;
  };
  using Sequence = std::vector<Issue>;
  struct Choice {
    CondOp cond;
    std::vector<Sequence> paths;
  };

  unsigned identify(std::string text);
  void compare(const Choice& choice, unsigned path, unsigned other);

  llvm::StringMap<unsigned> identities_;
  std::vector<Choice> choices_;
  std::vector<Sequence> sequences_;  // of the paths that are open
  std::vector<OrderMismatch> mismatches_;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_ANALYSIS_COLLECTIVE_ORDER_H_
