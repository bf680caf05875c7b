// Which writes reach which reads.
#ifndef THUNKY_COMPILER_ANALYSIS_VALUE_FLOW_H_
#define THUNKY_COMPILER_ANALYSIS_VALUE_FLOW_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "thunky/compiler/analysis/byte_map.h"
#include "thunky/compiler/analysis/program_walk.h"

namespace thunky::compiler {

// A read of scratch bytes that nothing wrote before on some path.
struct UndefinedRead {
  mlir::Operation* op;
  unsigned index;     // in what getAccesses of the operation gives
  BufferRange range;  // the first of these bytes that lie together
  bool onEveryPath;   // nobody wrote them on any path
};

// A write of which no byte is read and none is there in the end, and what overwrote it.
struct UnreadWrite {
  mlir::Operation* op;
  unsigned index;
  mlir::Operation* overwriter;
  unsigned overwriterIndex;
  BufferRange range;  // the first bytes that were overwritten
};

// Follows values through a program in one walk, in the order of issue. Each byte of an
// argument has a value: a graph of the writes that may have been the last there.
//
// A byte that is read has no unread write any more, so its value becomes "settled" and
// pieces that are read together become one; a write makes its bytes one piece, too. A
// change of k pieces leaves one, which keeps straight programs linear. Paths change the
// map in place, note what was there, and are undone; only what they touched is merged.
// Loops are walked once: what a round may find of the round before is a node that gets
// its second operand at the end of the body.
class ValueFlow : public ProgramObserver {
 public:
  explicit ValueFlow(mlir::func::FuncOp main);

  void step(llvm::ArrayRef<StepAccess> accesses) override;
  void beginChoice(CondOp) override;
  void beginPath() override;
  void endPath() override;
  void endChoice() override;
  void beginLoop() override;
  void beginBody(bool certain, bool repeats) override;
  void endBody() override;
  void beginAsync(AsyncStartOp) override {}
  void endAsync(AsyncStartOp) override {}
  void join(AsyncDoneOp) override {}
  bool stopped() const override { return exhausted_; }

  const std::vector<UndefinedRead>& undefinedReads() const { return undefinedReads_; }
  // To be called once, after the walk.
  std::vector<UnreadWrite> unreadWrites();
  // The walk ended because it would take too much memory or time: many thousand ranges
  // in deeply nested loops or branches.
  bool exhausted() const { return exhausted_; }

 private:
  using NodeId = uint32_t;
  static constexpr NodeId kSettled = 0;    // nothing that has to be found out
  static constexpr NodeId kUndefined = 1;  // nobody wrote it
  static constexpr int32_t kNone = -1;

  // A write, or the meeting of two values.
  struct Node {
    NodeId a = kSettled;
    NodeId b = kSettled;
    int32_t write = kNone;       // in writes_
    int32_t overwriter = kNone;  // in overwriters_: the first
    bool undefined = false;      // on some path nobody wrote it
    bool read = false;
  };
  struct Write {
    mlir::Operation* op = nullptr;
    unsigned index = 0;
    bool read = false;
    int32_t overwriter = kNone;
  };
  struct Overwriter {
    mlir::Operation* op;
    unsigned index;
    BufferRange range;
  };
  // `since`: the step at which loops around it were last taken into account.
  struct Value {
    NodeId node = kSettled;
    uint32_t since = 0;
  };
  using Values = ByteMap<Value>;

  struct Change {
    uint32_t root;
    int64_t begin;
    int64_t end;
    Value before;
  };
  // A value at the head of a loop: what was there before, or the round before left.
  struct Head {
    uint32_t root;
    int64_t begin;
    int64_t end;
    NodeId node;
  };
  struct Loop {
    uint32_t begin = 0;  // its first step
    bool certain = false;
    bool repeats = false;
    size_t bodyChanges = 0;  // in changes_, where the body begins
    size_t bodyHeads = 0;    // in heads
    std::vector<Head> heads;
  };
  struct Merge {
    NodeId node = kSettled;
    int paths = 0;
  };
  struct Choice {
    size_t pathChanges = 0;  // in changes_, where the path begins
    int paths = 0;
    std::map<uint32_t, ByteMap<Merge>> merges;  // by root
  };

  // The number of the root, if it is an argument.
  bool find(const BufferRange& range, uint32_t& root) const;

  NodeId makeNode(Node node);
  NodeId meet(NodeId a, NodeId b);
  void markRead(NodeId node);
  void markOverwritten(NodeId node, int32_t overwriter);

  void set(uint32_t root, int64_t begin, int64_t end, NodeId node);
  void undo(size_t changes);
  void enterLoops(uint32_t root, int64_t begin, int64_t end);
  bool isSettled(uint32_t root, const BufferRange& range);
  void closeRounds(const Loop& loop);
  void leaveBefore(const Loop& loop);

  void read(const StepAccess& access);
  void overwrite(const StepAccess& access);
  void define(const StepAccess& access);
  void spend(size_t work);

  llvm::DenseMap<mlir::Value, uint32_t> roots_;
  std::vector<Values> values_;           // by root
  std::vector<bool> visible_;            // by root: the caller sees it in the end
  std::vector<mlir::Value> rootValues_;  // by root
  std::vector<Node> nodes_;
  std::vector<Write> writes_;
  std::vector<Overwriter> overwriters_;
  std::vector<Change> changes_;  // while paths may be undone
  std::vector<Choice> choices_;
  std::vector<Loop> loops_;
  int undoable_ = 0;  // paths and bodies that may not run
  uint32_t step_ = 0;
  std::vector<NodeId> pending_;
  std::vector<UndefinedRead> undefinedReads_;
  uint64_t work_ = 0;
  bool exhausted_ = false;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_ANALYSIS_VALUE_FLOW_H_
