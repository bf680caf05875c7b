// Accesses that conflict and that nothing orders.
#ifndef THUNKY_COMPILER_ANALYSIS_RACE_FINDER_H_
#define THUNKY_COMPILER_ANALYSIS_RACE_FINDER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "thunky/compiler/analysis/byte_map.h"
#include "thunky/compiler/analysis/program_walk.h"
#include "thunky/compiler/analysis/stream_order.h"

namespace thunky::compiler {

// Two accesses of one buffer; `index` counts in what getAccesses of the operation gives.
struct Race {
  mlir::Operation* first;  // issued before the second
  unsigned firstIndex;
  mlir::Operation* second;
  unsigned secondIndex;
  BufferRange range;  // the bytes of both
};

// Finds races in one walk over a program. What the main stream does is never the first
// of a race: all that is issued later is started from there. So only accesses of
// asynchronous bodies are remembered, by the bytes they touch, until the main stream
// knows that they are finished or something takes their place: a later access that
// whoever is ordered after it is ordered after both.
class RaceFinder : public ProgramObserver {
 public:
  // Pairs of operations that are found before the search ends.
  static constexpr size_t kMaxRaces = 10000;

  void step(llvm::ArrayRef<StepAccess> accesses) override;
  void beginChoice(CondOp) override { openChoice(); }
  void beginPath() override { openPath(); }
  void endPath() override { closePath(); }
  void endChoice() override { closeChoice(/*otherwise=*/false); }
  void beginLoop() override {}
  void beginBody(bool certain, bool repeats) override;
  void endBody() override;
  void beginAsync(AsyncStartOp start) override;
  void endAsync(AsyncStartOp start) override;
  void join(AsyncDoneOp done) override;
  bool stopped() const override;

  // One for each pair of operations, in the order of the second.
  const std::vector<Race>& races() const { return races_; }
  // There may be more races than were looked for.
  bool tooMany() const { return races_.size() >= kMaxRaces; }
  // The search ended because streams are too many and know too much of each other.
  bool exhausted() const { return order_.exhausted(); }

 private:
  using Stamp = StreamOrder::Stamp;

  struct Entry {
    mlir::Operation* op = nullptr;
    unsigned index = 0;
    int64_t begin = 0;
    int64_t end = 0;
    Stamp stamp;
    uint32_t path = 0;      // the innermost one it is on, in paths_
    uint32_t position = 0;  // of its step
  };
  // What touched a byte.
  struct Cell {
    llvm::SmallVector<Entry, 1> reads;
    llvm::SmallVector<Entry, 1> writes;
  };
  using Cells = ByteMap<Cell>;

  // A path of a choice, or the body of a loop that may not run. Once all paths of the
  // choice are over, what is on it counts as being on the path around it; whoever knows
  // the line of the choice up to `end` knows it to be finished, since the tokens of a
  // path are joined on it.
  struct Path {
    uint32_t around = 0;
    bool over = false;
    Stamp end;
  };
  struct Choice {
    uint32_t begin = 0;      // position of its first step
    uint32_t pathBegin = 0;  // of the path that is walked
    llvm::SmallVector<uint32_t, 2> paths;
  };

  void openChoice();
  void openPath();
  void closePath();
  void closeChoice(bool otherwise);

  // The innermost path around the entry that is not over, and the end of the outermost
  // one on the way that is.
  std::pair<uint32_t, Stamp> pathOf(const Entry& entry);
  bool isFinished(const Entry& entry);
  bool isFinishedForAll(const Entry& entry);
  bool isOnOtherPath(const Entry& entry) const;

  void checkGroup(llvm::ArrayRef<StepAccess> accesses);
  void check(const StepAccess& access);
  void checkAgainst(llvm::SmallVectorImpl<Entry>& entries, const StepAccess& access);
  void record(const StepAccess& access);
  void compact(llvm::SmallVectorImpl<Entry>& entries);
  void report(const Entry& entry, const StepAccess& access);

  StreamOrder order_;
  llvm::DenseMap<mlir::Value, StreamOrder::Finish> open_;  // by token
  llvm::DenseMap<mlir::Value, Cells> cells_;               // by root
  std::vector<Path> paths_ = std::vector<Path>(1);
  std::vector<uint32_t> pathStack_ = {0};
  uint32_t mainPath_ = 0;  // the innermost one that is issued on the main stream
  std::vector<Choice> choices_;
  std::vector<bool> uncertainBodies_;
  uint32_t position_ = 0;
  std::vector<Race> races_;
  llvm::DenseSet<std::pair<mlir::Operation*, mlir::Operation*>> reported_;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_ANALYSIS_RACE_FINDER_H_
