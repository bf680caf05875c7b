// send and recv: one buffer from one device to another.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/replica_groups.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

// A send reads its source, a recv writes its destination; the message has both
// fields for either, and the other one names the same bytes.
void SendAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  accesses->push_back({SliceOf(thunk.send_thunk().buffer().source_buffer()),
                       AccessMode::kRead, "buffer.source_buffer"});
}

// A device that nobody sends to gets zeros.
void RecvAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  accesses->push_back({SliceOf(thunk.recv_thunk().buffer().destination_buffer()),
                       AccessMode::kWriteAll, "buffer.destination_buffer"});
}

template <typename Proto>
absl::Status CheckParts(const Proto& proto) {
  RETURN_IF_ERROR(CheckPresent(proto.has_buffer(), "buffer"));
  CollectiveBuffers buffers;
  *buffers.Add() = proto.buffer();
  RETURN_IF_ERROR(CheckCollective(proto.collective_config(), buffers));
  return CheckSourceTargets(proto.source_target_pairs());
}

absl::Status VerifySend(const wire::ThunkProto& thunk, const VerifyContext& context) {
  RETURN_IF_ERROR(CheckParts(thunk.send_thunk()));
  return CheckOwnAccesses(ThunkKind::kSend, thunk, context);
}

absl::Status VerifyRecv(const wire::ThunkProto& thunk, const VerifyContext& context) {
  RETURN_IF_ERROR(CheckParts(thunk.recv_thunk()));
  return CheckOwnAccesses(ThunkKind::kRecv, thunk, context);
}

constexpr KindRules kRules[] = {
    {ThunkKind::kSend, VerifySend, SendAccesses, nullptr},
    {ThunkKind::kRecv, VerifyRecv, RecvAccesses, nullptr},
};

}  // namespace

absl::Span<const KindRules> PointToPointRules() { return kRules; }

}  // namespace thunky::schema::kinds
