#include "thunky/compiler/analysis/hazards.h"

#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/compiler/analysis/collective_order.h"
#include "thunky/compiler/analysis/program_walk.h"
#include "thunky/compiler/analysis/race_finder.h"
#include "thunky/compiler/analysis/value_flow.h"

namespace thunky::compiler {
namespace {

// An access of an operation again, for a report.
BufferAccess accessOf(mlir::Operation* op, unsigned index) {
  llvm::SmallVector<BufferAccess> accesses;
  llvm::cast<ThunkOpInterface>(op).getAccesses(accesses);
  return accesses[index];
}

// "copy at f.cc:12 (source_buffer, read)".
std::string textOf(mlir::Operation* op, const BufferAccess& access) {
  return absl::StrCat(describe(op), " (", access.role, ", ",
                      schema::AccessModeName(access.mode), ")");
}

class Reporter {
 public:
  void add(const Race& race) {
    const BufferAccess first = accessOf(race.first, race.firstIndex);
    const BufferAccess second = accessOf(race.second, race.secondIndex);
    if (!count(HazardKind::kRace, race.first, race.second)) return;
    list({HazardKind::kRace,
          Severity::kError,
          {race.first, first.role},
          {race.second, second.role},
          race.range,
          absl::StrCat("race: ", textOf(race.first, first), " and ",
                       textOf(race.second, second), " use ", describe(race.range),
                       ", and nothing orders them")});
  }

  void add(const UndefinedRead& read) {
    const BufferAccess access = accessOf(read.op, read.index);
    if (!count(HazardKind::kUninitializedRead, read.op, nullptr)) return;
    list({HazardKind::kUninitializedRead,
          Severity::kError,
          {read.op, access.role},
          {},
          read.range,
          absl::StrCat("uninitialized read: ", textOf(read.op, access), " reads ",
                       describe(read.range), ", which nothing wrote before",
                       read.onEveryPath ? "" : " on some path")});
  }

  void add(const UnreadWrite& write) {
    // Of two writes that race nobody knows which is overwritten.
    if (seen_.count({HazardKind::kRace, write.op, write.overwriter}) != 0) return;
    const BufferAccess access = accessOf(write.op, write.index);
    const BufferAccess over = accessOf(write.overwriter, write.overwriterIndex);
    if (!count(HazardKind::kOverwrittenUnread, write.op, write.overwriter)) return;
    list({HazardKind::kOverwrittenUnread,
          Severity::kWarning,
          {write.op, access.role},
          {write.overwriter, over.role},
          write.range,
          absl::StrCat("overwritten unread: what ", textOf(write.op, access),
                       " writes is read by nothing; ", textOf(write.overwriter, over),
                       " overwrites ", describe(write.range))});
  }

  void add(const OrderMismatch& mismatch) {
    mlir::Operation* cond = mismatch.cond;
    mlir::Operation* first = mismatch.first != nullptr ? mismatch.first : cond;
    mlir::Operation* second = mismatch.second != nullptr ? mismatch.second : cond;
    if (!count(HazardKind::kCollectiveOrder, first, second, !mismatch.reordered)) return;
    const auto issues = [](mlir::Operation* op, unsigned branch) {
      return absl::StrCat("branch ", branch, " issues ",
                          op != nullptr ? describe(op) : "no more");
    };
    list(
        {HazardKind::kCollectiveOrder,
         mismatch.reordered ? Severity::kError : Severity::kWarning,
         {first, ""},
         {second, ""},
         {},
         absl::StrCat(mismatch.reordered
                          ? "possible deadlock: collectives in different orders, if "
                            "devices take different branches of "
                          : "different collectives, if devices take different branches "
                            "of ",
                      describe(cond), ": where ", issues(mismatch.first, mismatch.branch),
                      ", ", issues(mismatch.second, mismatch.other))});
  }

  HazardReport take() {
    std::stable_partition(
        report_.hazards.begin(), report_.hazards.end(),
        [](const Hazard& hazard) { return hazard.severity == Severity::kError; });
    return std::move(report_);
  }

 private:
  // Whether the hazard is one more, and one that is listed.
  bool count(HazardKind kind, mlir::Operation* first, mlir::Operation* second,
             bool warning = false) {
    if (!seen_.emplace(kind, first, second).second) return false;
    warning = warning || kind == HazardKind::kOverwrittenUnread;
    ++(warning ? report_.warnings : report_.errors);
    return ++counts_[static_cast<size_t>(kind)] <= HazardReport::kMaxListed;
  }
  void list(Hazard hazard) { report_.hazards.push_back(std::move(hazard)); }

  HazardReport report_;
  std::set<std::tuple<HazardKind, mlir::Operation*, mlir::Operation*>> seen_;
  size_t counts_[4] = {};
};

}  // namespace

mlir::FailureOr<HazardReport> findHazards(mlir::func::FuncOp main) {
  RaceFinder races;
  ValueFlow values(main);
  CollectiveOrder collectives;
  if (mlir::failed(walkProgram(main, {&races, &values, &collectives}))) {
    return mlir::failure();
  }
  if (races.exhausted() || values.exhausted()) {
    return main.emitOpError("cannot be checked for hazards: it has ")
           << (races.exhausted() ? "too many streams that wait for each other"
                                 : "too many pieces of buffers in nested loops and "
                                   "branches");
  }
  Reporter reporter;
  for (const Race& race : races.races()) reporter.add(race);
  for (const UndefinedRead& read : values.undefinedReads()) reporter.add(read);
  for (const OrderMismatch& mismatch : collectives.mismatches()) reporter.add(mismatch);
  for (const UnreadWrite& write : values.unreadWrites()) reporter.add(write);
  return reporter.take();
}

void emitDiagnostics(mlir::func::FuncOp main, const HazardReport& report) {
  for (const Hazard& hazard : report.hazards) {
    mlir::Operation* at = hazard.first.op;
    mlir::InFlightDiagnostic diagnostic = hazard.severity == Severity::kError
                                              ? mlir::emitError(at->getLoc())
                                              : mlir::emitWarning(at->getLoc());
    diagnostic << hazard.message;
    if (hazard.second.op != nullptr) {
      diagnostic.attachNote(hazard.second.op->getLoc()) << "the other place";
    } else if (hazard.range.root) {
      diagnostic.attachNote(hazard.range.root.getLoc()) << "the buffer";
    }
  }
  const auto rest =
      report.errors + report.warnings - static_cast<int64_t>(report.hazards.size());
  if (rest > 0) main.emitWarning("has ") << rest << " more hazards that are not listed";
}

}  // namespace thunky::compiler
