// Sequences, branches and loops.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

absl::Status VerifyNothing(const wire::ThunkProto&, const VerifyContext&) {
  return absl::OkStatus();
}

void SequentialChildren(const wire::ThunkProto& thunk, std::vector<Child>* children) {
  children->push_back({"", &thunk.sequential_thunk().thunks()});
}

void ConditionalAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  accesses->push_back({SliceOf(thunk.conditional_thunk().branch_index_buffer()),
                       AccessMode::kRead, "branch_index_buffer"});
}

void ConditionalChildren(const wire::ThunkProto& thunk, std::vector<Child>* children) {
  const auto& branches = thunk.conditional_thunk().branch_thunks();
  children->reserve(children->size() + branches.size());
  for (int i = 0; i < branches.size(); ++i) {
    children->push_back({Indexed("branches", i), &branches[i].thunks()});
  }
}

absl::Status VerifyConditional(const wire::ThunkProto& thunk,
                               const VerifyContext& context) {
  const wire::ConditionalThunkProto& conditional = thunk.conditional_thunk();
  RETURN_IF_ERROR(
      CheckPresent(conditional.has_branch_index_buffer(), "branch_index_buffer"));
  RETURN_IF_ERROR(CheckShaped(conditional.branch_index_buffer(), "branch_index_buffer"));
  RETURN_IF_ERROR(CheckOwnAccesses(ThunkKind::kConditional, thunk, context));
  const int64_t size = conditional.branch_index_buffer().slice().size();
  const int branches = conditional.branch_thunks_size();
  if (size != 1 && size != 4) {
    return Invalid("branch_index_buffer has ", size,
                   " bytes; 1 (a bool) or 4 (an i32) are allowed");
  }
  if (size == 1 && branches != 2) {
    return Invalid("has ", branches,
                   " branches; with an index of 1 byte (a bool) there must be 2");
  }
  if (branches < 1) return Invalid("has no branch; at least 1 is needed");
  return absl::OkStatus();
}

void WhileAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  accesses->push_back({SliceOf(thunk.while_thunk().condition_result_buffer_index()),
                       AccessMode::kRead, "condition_result_buffer_index"});
}

void WhileChildren(const wire::ThunkProto& thunk, std::vector<Child>* children) {
  const wire::WhileThunkProto& loop = thunk.while_thunk();
  children->push_back({"cond", &loop.condition_thunk_sequence().thunks(), true});
  children->push_back({"body", &loop.body_thunk_sequence().thunks(), true});
}

absl::Status VerifyWhile(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::WhileThunkProto& loop = thunk.while_thunk();
  RETURN_IF_ERROR(CheckPresent(loop.has_condition_result_buffer_index(),
                               "condition_result_buffer_index"));
  RETURN_IF_ERROR(
      CheckPresent(loop.has_condition_thunk_sequence(), "condition_thunk_sequence"));
  RETURN_IF_ERROR(CheckPresent(loop.has_body_thunk_sequence(), "body_thunk_sequence"));
  RETURN_IF_ERROR(CheckOwnAccesses(ThunkKind::kWhile, thunk, context));
  const int64_t size = loop.condition_result_buffer_index().size();
  if (size != 1) {
    return Invalid("condition_result_buffer_index has ", size, " bytes; it must have 1");
  }
  if (loop.has_trip_count() && loop.trip_count() < 0) {
    return Invalid("trip_count is ", loop.trip_count(), "; it must not be negative");
  }
  return absl::OkStatus();
}

constexpr KindRules kRules[] = {
    {ThunkKind::kSequential, VerifyNothing, nullptr, SequentialChildren},
    {ThunkKind::kConditional, VerifyConditional, ConditionalAccesses,
     ConditionalChildren},
    {ThunkKind::kWhile, VerifyWhile, WhileAccesses, WhileChildren},
};

}  // namespace

absl::Span<const KindRules> ControlFlowRules() { return kRules; }

}  // namespace thunky::schema::kinds
