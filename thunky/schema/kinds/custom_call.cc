// Calls of a handler that the process registers.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

using NullableList = google::protobuf::RepeatedPtrField<wire::NullableShapedSliceProto>;

void AddPresent(const NullableList& list, AccessMode mode, absl::string_view field,
                std::vector<Access>* accesses) {
  int present = 0;
  for (int i = 0; i < list.size() && present <= kMaxThunkBuffers; ++i) {
    if (!list[i].has_shaped_slice()) continue;
    ++present;
    accesses->push_back({SliceOf(list[i].shaped_slice()), mode, Indexed(field, i)});
  }
}

void Accesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const wire::CustomCallThunkProto& call = thunk.custom_call_thunk();
  AddPresent(call.operands(), AccessMode::kRead, "operands", accesses);
  AddPresent(call.results(), AccessMode::kWrite, "results", accesses);
}

absl::Status CheckPresentOnes(const NullableList& list, absl::string_view field) {
  for (int i = 0; i < list.size(); ++i) {
    if (!list[i].has_shaped_slice()) continue;
    RETURN_IF_ERROR(CheckShaped(list[i].shaped_slice(), Indexed(field, i)));
  }
  return absl::OkStatus();
}

absl::Status Verify(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::CustomCallThunkProto& call = thunk.custom_call_thunk();
  if (call.target_name().empty()) return Invalid("target_name is missing");
  RETURN_IF_ERROR(CheckPresentOnes(call.operands(), "operands"));
  RETURN_IF_ERROR(CheckPresentOnes(call.results(), "results"));
  return CheckOwnAccesses(ThunkKind::kCustomCall, thunk, context);
}

constexpr KindRules kRules[] = {
    {ThunkKind::kCustomCall, Verify, Accesses, nullptr},
};

}  // namespace

absl::Span<const KindRules> CustomCallRules() { return kRules; }

}  // namespace thunky::schema::kinds
