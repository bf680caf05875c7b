// Exchanges with the host, and work done there.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

void InfeedAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  AddAll(thunk.infeed_thunk().dest_slices(), AccessMode::kWriteAll, "dest_slices",
         accesses);
}

void OutfeedAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  AddAll(thunk.outfeed_thunk().source_slices(), AccessMode::kRead, "source_slices",
         accesses);
}

void SendAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  accesses->push_back(
      {SliceOf(thunk.host_send_thunk().buffer()), AccessMode::kRead, "buffer"});
}

void RecvAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  accesses->push_back(
      {SliceOf(thunk.host_recv_thunk().buffer()), AccessMode::kWriteAll, "buffer"});
}

// The results are written at any time until the matching done.
void ExecuteStartAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const wire::HostExecuteStartThunkProto& start = thunk.host_execute_start_thunk();
  AddAll(start.args(), AccessMode::kRead, "args", accesses);
  AddAll(start.results(), AccessMode::kWrite, "results", accesses);
}

void ExecuteDoneAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  AddAll(thunk.host_execute_done_thunk().results(), AccessMode::kWrite, "results",
         accesses);
}

absl::Status VerifyInfeed(const wire::ThunkProto& thunk, const VerifyContext& context) {
  RETURN_IF_ERROR(CheckShapedList(thunk.infeed_thunk().dest_slices(), "dest_slices"));
  return CheckOwnAccesses(ThunkKind::kInfeed, thunk, context);
}

absl::Status VerifyOutfeed(const wire::ThunkProto& thunk, const VerifyContext& context) {
  RETURN_IF_ERROR(
      CheckShapedList(thunk.outfeed_thunk().source_slices(), "source_slices"));
  return CheckOwnAccesses(ThunkKind::kOutfeed, thunk, context);
}

absl::Status VerifySend(const wire::ThunkProto& thunk, const VerifyContext& context) {
  RETURN_IF_ERROR(CheckPresent(thunk.host_send_thunk().has_buffer(), "buffer"));
  return CheckOwnAccesses(ThunkKind::kHostSend, thunk, context);
}

absl::Status VerifyRecv(const wire::ThunkProto& thunk, const VerifyContext& context) {
  RETURN_IF_ERROR(CheckPresent(thunk.host_recv_thunk().has_buffer(), "buffer"));
  return CheckOwnAccesses(ThunkKind::kHostRecv, thunk, context);
}

absl::Status VerifyDone(const wire::ThunkProto&, const VerifyContext&) {
  return absl::OkStatus();
}

absl::Status VerifyExecuteStart(const wire::ThunkProto& thunk,
                                const VerifyContext& context) {
  const wire::HostExecuteStartThunkProto& start = thunk.host_execute_start_thunk();
  RETURN_IF_ERROR(CheckPresent(start.has_executable_proto(), "executable_proto"));
  RETURN_IF_ERROR(CheckShapedList(start.args(), "args"));
  RETURN_IF_ERROR(CheckShapedList(start.results(), "results"));
  return CheckOwnAccesses(ThunkKind::kHostExecuteStart, thunk, context);
}

absl::Status VerifyExecuteDone(const wire::ThunkProto& thunk,
                               const VerifyContext& context) {
  RETURN_IF_ERROR(CheckShapedList(thunk.host_execute_done_thunk().results(), "results"));
  return CheckOwnAccesses(ThunkKind::kHostExecuteDone, thunk, context);
}

constexpr KindRules kRules[] = {
    {ThunkKind::kInfeed, VerifyInfeed, InfeedAccesses, nullptr},
    {ThunkKind::kOutfeed, VerifyOutfeed, OutfeedAccesses, nullptr},
    {ThunkKind::kHostSend, VerifySend, SendAccesses, nullptr},
    {ThunkKind::kHostSendDone, VerifyDone, nullptr, nullptr},
    {ThunkKind::kHostRecv, VerifyRecv, RecvAccesses, nullptr},
    {ThunkKind::kHostRecvDone, VerifyDone, nullptr, nullptr},
    {ThunkKind::kHostExecuteStart, VerifyExecuteStart, ExecuteStartAccesses, nullptr},
    {ThunkKind::kHostExecuteDone, VerifyExecuteDone, ExecuteDoneAccesses, nullptr},
};

}  // namespace

absl::Span<const KindRules> HostRules() { return kRules; }

}  // namespace thunky::schema::kinds
