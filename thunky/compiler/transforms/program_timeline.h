// When a program uses its scratch buffers.
#ifndef THUNKY_COMPILER_TRANSFORMS_PROGRAM_TIMELINE_H_
#define THUNKY_COMPILER_TRANSFORMS_PROGRAM_TIMELINE_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "thunky/schema/access.h"

namespace thunky::compiler {

// Slots of time, both included. Operations have them in the order in which a program
// issues them; an operation with regions has those of everything in its regions, of one
// region after the other, and one before and one after.
struct TimeSpan {
  int64_t first = 0;
  int64_t last = 0;
};

struct TimeScope;

// The operations of a region, or of @main.
struct TimeList {
  TimeSpan slots;
  TimeScope* owner = nullptr;  // null for @main
};

// An operation with regions.
struct TimeScope {
  mlir::Operation* op = nullptr;
  TimeSpan slots;
  TimeList* list = nullptr;  // the one it is in
  std::vector<TimeList> lists;
  // The last slot of an operation in `list` after which everything inside has run: its
  // own last one, or where asynchronous work is known to have ended.
  int64_t finished = 0;
};

// What an operation does with some bytes of a buffer.
struct BufferUse {
  int64_t slot = 0;  // the first one of the operation
  const TimeList* list = nullptr;
  const TimeScope* scope = nullptr;  // of an operation with regions
  int64_t offset = 0;
  int64_t size = 0;
  schema::AccessMode mode = schema::AccessMode::kRead;
};

// Points into itself; it does not change once it is made.
class ProgramTimeline {
 public:
  ProgramTimeline() = default;
  ProgramTimeline(const ProgramTimeline&) = delete;
  ProgramTimeline& operator=(const ProgramTimeline&) = delete;

  // Looks at @main, verified and without calls, which may have any arguments; `scratch`
  // are the numbers of those to watch. Fails with a diagnostic that names an operation
  // that is no thunk.
  llvm::LogicalResult build(mlir::func::FuncOp main, llvm::ArrayRef<unsigned> scratch);

  const TimeList& main() const { return main_; }
  // Of `scratch[index]`, in the order of slots; none of zero bytes.
  llvm::ArrayRef<BufferUse> usesOf(size_t index) const { return uses_[index]; }

 private:
  class Builder;

  TimeList main_;
  std::deque<TimeScope> scopes_;
  std::vector<std::vector<BufferUse>> uses_;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSFORMS_PROGRAM_TIMELINE_H_
