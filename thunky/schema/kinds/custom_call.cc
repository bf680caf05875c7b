// Calls of a handler that the process registers.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"
#include "thunky/schema/tensor_type.h"

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

// A handler knows a buffer's size from its shape only, so that it must be all of it.
absl::Status CheckWholeShape(const wire::ShapedSliceProto& shaped,
                             absl::string_view role) {
  RETURN_IF_ERROR(CheckShaped(shaped, role));
  if (!shaped.has_shape()) return absl::OkStatus();
  const absl::StatusOr<TensorType> type = TensorTypeOf(shaped.shape());
  if (!type.ok() || ByteSize(*type) == shaped.slice().size()) return absl::OkStatus();
  return Invalid(role, " has ", shaped.slice().size(), " bytes; its shape ",
                 type->ToString(), " takes ", ByteSize(*type), ", which must be all");
}

absl::Status CheckPresentOnes(const NullableList& list, absl::string_view field) {
  for (int i = 0; i < list.size(); ++i) {
    if (!list[i].has_shaped_slice()) continue;
    RETURN_IF_ERROR(CheckWholeShape(list[i].shaped_slice(), Indexed(field, i)));
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
