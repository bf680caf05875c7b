// What can go wrong when a program runs, found without running it. docs/hazards.md says
// what counts as a hazard and why.
#ifndef THUNKY_COMPILER_ANALYSIS_HAZARDS_H_
#define THUNKY_COMPILER_ANALYSIS_HAZARDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "thunky/compiler/dialect/accesses.h"

namespace thunky::compiler {

enum class HazardKind { kRace, kUninitializedRead, kOverwrittenUnread, kCollectiveOrder };
enum class Severity { kError, kWarning };

// "race", "uninitialized_read", "overwritten_unread", "collective_order".
llvm::StringRef hazardKindName(HazardKind kind);

// A thunk that takes part.
struct HazardSite {
  mlir::Operation* op = nullptr;  // null: none
  std::string role;  // of the buffer: "args[2]", "source_buffer"; empty: no buffer
};

struct Hazard {
  HazardKind kind = HazardKind::kRace;
  Severity severity = Severity::kError;
  // Of a race in the order of issue; of a read that nobody wrote the reader alone; of a
  // write that nobody reads the write and what overwrites it; of collectives what the
  // two branches issue, or the cond and what one of them issues.
  HazardSite first;
  HazardSite second;
  BufferRange range;    // the bytes; without a root there are none
  std::string message;  // one line with both sites and the bytes
};

struct HazardReport {
  // Of each kind this many are listed at most.
  static constexpr size_t kMaxListed = 100;

  std::vector<Hazard> hazards;  // errors first; one for each kind and pair of operations
  // Found, listed or not. After RaceFinder::kMaxRaces races the search for more ends.
  int64_t errors = 0;
  int64_t warnings = 0;
};

// Looks for hazards in a program whose calls are inlined and that is verified. Its cost
// grows with the number of accesses. Fails with a diagnostic for a call, for regions
// nested deeper than 256, and for a program that would take too much memory or time: many
// thousand streams that know of each other, or ranges in deeply nested loops.
mlir::FailureOr<HazardReport> findHazards(mlir::func::FuncOp main);

// Each hazard as an error or a warning at its first site, with a note at its second,
// and one more for those that are not listed.
void emitDiagnostics(mlir::func::FuncOp main, const HazardReport& report);

// "ptx_kernel 'saxpy' at f.cc:12": an operation, by what it calls and where it stands.
std::string describe(mlir::Operation* op);
// "f.cc:12:3", or what the operation's thunk is called where it has no place in a file;
// may be empty.
std::string placeOf(mlir::Operation* op);
// "'x'", "argument 3", "scratch argument 5", "a constant".
std::string describeBuffer(mlir::Value root);
// "bytes [0, 64) of 'x'".
std::string describe(const BufferRange& range);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_ANALYSIS_HAZARDS_H_
