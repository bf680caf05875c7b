// async_start and async_done. That starts and dones match is a rule on sequences
// (async_rules.h), not on a thunk.
#include <limits>

#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

void StartChildren(const wire::ThunkProto& thunk, std::vector<Child>* children) {
  children->push_back({"body", &thunk.async_start_thunk().thunks().thunks()});
}

absl::Status VerifyStart(const wire::ThunkProto& thunk, const VerifyContext&) {
  const wire::AsyncStartThunkProto& start = thunk.async_start_thunk();
  const uint64_t stream = start.execution_stream_id_case() ==
                                  wire::AsyncStartThunkProto::kCommunicationStreamId
                              ? start.communication_stream_id()
                              : start.computation_stream_id();
  if (stream > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return Invalid("the stream id is ", stream, "; at most 2^63 - 1 is allowed");
  }
  return absl::OkStatus();
}

absl::Status VerifyDone(const wire::ThunkProto&, const VerifyContext&) {
  return absl::OkStatus();
}

constexpr KindRules kRules[] = {
    {ThunkKind::kAsyncStart, VerifyStart, nullptr, StartChildren},
    {ThunkKind::kAsyncDone, VerifyDone, nullptr, nullptr},
};

}  // namespace

absl::Span<const KindRules> AsyncRules() { return kRules; }

}  // namespace thunky::schema::kinds
