#include "thunky/schema/executable_rules.h"

#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/allocations.h"
#include "thunky/schema/async_rules.h"
#include "thunky/schema/code_table.h"
#include "thunky/schema/constants.h"
#include "thunky/schema/signature.h"
#include "thunky/schema/walk.h"

namespace thunky::schema {
namespace {

// Verifies each thunk, and what a thunk alone cannot show: joins of asynchronous
// work, loop conditions, writes of embedded thunks.
class TreeVerifier : public ThunkVisitor {
 public:
  // `code` may be null: then hashes are not looked up. `enclosing_loops` are those
  // around the whole tree.
  TreeVerifier(const ThunkList& thunks, AllocationTable allocations,
               const CodeTable* code, UnknownKinds unknown, int64_t enclosing_loops = 0)
      : code_(code),
        unknown_(unknown),
        enclosing_loops_(enclosing_loops),
        async_(thunks) {
    contexts_.push_back({std::move(allocations), 0});
  }

  void AddConstant(int64_t allocation) { constants_.insert(allocation); }

  absl::Status Visit(const ThunkVisit& visit) override {
    if (!visit.kind.has_value()) {
      if (unknown_ == UnknownKinds::kRefuse) return KindOf(visit.thunk).status();
      NoteAnyWrite();
      return absl::OkStatus();
    }
    const int64_t loops = enclosing_loops_ + visit.enclosing_loops;
    RETURN_IF_ERROR(
        RulesFor(*visit.kind)
            .verify(visit.thunk, {contexts_.back().allocations, loops, code_}));
    RETURN_IF_ERROR(async_.Visit(visit));
    for (const Access& access : AccessesOf(*visit.kind, visit.thunk)) {
      if (!Writes(access.mode)) continue;
      RETURN_IF_ERROR(CheckMayWrite(access));
      NoteWrite(access.slice);
    }
    return absl::OkStatus();
  }

  absl::Status Enter(const ThunkVisit& visit, const Child& child) override {
    async_.Enter(visit);
    if (child.local_allocations != nullptr) {
      ASSIGN_OR_RETURN(AllocationTable local,
                       AllocationTable::Of(*child.local_allocations));
      const auto& fusion = visit.thunk.dynamic_slice_fusion_thunk();
      contexts_.push_back({std::move(local), fusion.parameters_size()});
      conditions_.push_back({});
    }
    if (IsCondition(visit, child)) {
      conditions_.push_back(
          {true, SliceOf(visit.thunk.while_thunk().condition_result_buffer_index())});
    }
    return absl::OkStatus();
  }

  absl::Status Leave(const ThunkVisit& visit, const Child& child) override {
    if (IsCondition(visit, child)) {
      const Condition condition = conditions_.back();
      conditions_.pop_back();
      if (!condition.written) {
        return absl::InvalidArgumentError(absl::StrCat(
            "nothing in the condition region writes the condition, ",
            ToString(condition.slice), "; without a trip count it must be written"));
      }
    }
    if (child.local_allocations != nullptr) {
      conditions_.pop_back();
      contexts_.pop_back();
    }
    return async_.Leave(visit);
  }

  absl::Status Finish() const { return async_.Finish(); }

 private:
  // What slices count in: the executable's allocations, or a payload's own, the
  // first of which are windows on buffers that the payload only reads.
  struct Context {
    AllocationTable allocations;
    int read_only = 0;
  };
  // A condition that the region being walked must write. An entry that is not
  // active hides those around it: local slices say nothing about them.
  struct Condition {
    bool active = false;
    Slice slice;
    bool written = false;
  };

  static bool IsCondition(const ThunkVisit& visit, const Child& child) {
    return visit.kind == ThunkKind::kWhile && child.label == "cond" &&
           !visit.thunk.while_thunk().has_trip_count();
  }

  absl::Status CheckMayWrite(const Access& access) const {
    const bool local = contexts_.size() > 1;
    const char* what = nullptr;
    if (local && access.slice.allocation < contexts_.back().read_only) {
      what = "a parameter of the fusion around it";
    } else if (!local && constants_.count(access.slice.allocation) != 0) {
      what = "a constant";
    }
    if (what == nullptr || access.slice.size == 0) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        access.role, " writes ", ToString(access.slice), ", which is ", what));
  }

  void NoteWrite(const Slice& slice) {
    for (auto condition = conditions_.rbegin();
         condition != conditions_.rend() && condition->active; ++condition) {
      if (Overlap(condition->slice, slice)) condition->written = true;
    }
  }

  void NoteAnyWrite() {
    for (auto condition = conditions_.rbegin();
         condition != conditions_.rend() && condition->active; ++condition) {
      condition->written = true;
    }
  }

  const CodeTable* code_;
  UnknownKinds unknown_;
  int64_t enclosing_loops_;
  std::set<int64_t> constants_;  // allocations that are constants
  std::vector<Context> contexts_;
  std::vector<Condition> conditions_;
  AsyncRules async_;
};

}  // namespace

absl::Status VerifyThunks(const ThunkList& thunks, const AllocationList& allocations,
                          int64_t enclosing_loops, UnknownKinds unknown) {
  ASSIGN_OR_RETURN(AllocationTable table, AllocationTable::Of(allocations));
  TreeVerifier verifier(thunks, std::move(table), nullptr, unknown, enclosing_loops);
  return WalkThunks(thunks, verifier);
}

absl::Status VerifyThunk(const wire::ThunkProto& thunk, const AllocationList& allocations,
                         int64_t enclosing_loops) {
  ASSIGN_OR_RETURN(const ThunkKind kind, KindOf(thunk));
  ASSIGN_OR_RETURN(const AllocationTable table, AllocationTable::Of(allocations));
  return RulesFor(kind).verify(thunk, {table, enclosing_loops, nullptr});
}

absl::Status VerifyExecutable(const wire::GpuExecutableProto& executable,
                              UnknownKinds unknown) {
  ASSIGN_OR_RETURN(const AllocationList* list, AllocationsOf(executable));
  ASSIGN_OR_RETURN(AllocationTable allocations, AllocationTable::Of(*list));
  ASSIGN_OR_RETURN(const CodeTable code, CodeTable::Of(executable));
  TreeVerifier verifier(executable.thunks(), std::move(allocations), &code, unknown);
  for (const auto& constant : executable.constants()) {
    verifier.AddConstant(constant.allocation_index());
  }
  RETURN_IF_ERROR(WalkThunks(executable.thunks(), verifier));
  RETURN_IF_ERROR(verifier.Finish());
  RETURN_IF_ERROR(SignatureOf(executable, unknown).status());
  return ConstantsOf(executable).status();
}

}  // namespace thunky::schema
