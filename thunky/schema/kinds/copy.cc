// Copies: plain, and between host and device or within a device.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

// The four kinds hold the same message, three of them one level deeper.
const wire::CopyThunkProto& CopyOf(const wire::ThunkProto& thunk) {
  switch (thunk.impl_case()) {
    case wire::ThunkProto::kDeviceToDeviceCopyThunk:
      return thunk.device_to_device_copy_thunk().copy_thunk();
    case wire::ThunkProto::kDeviceToHostCopyThunk:
      return thunk.device_to_host_copy_thunk().copy_thunk();
    case wire::ThunkProto::kHostToDeviceCopyThunk:
      return thunk.host_to_device_copy_thunk().copy_thunk();
    default:
      return thunk.copy_thunk();
  }
}

void Accesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const wire::CopyThunkProto& copy = CopyOf(thunk);
  const Slice source = SliceOf(copy.source_buffer());
  const Slice destination = SliceOf(copy.destination_buffer());
  accesses->push_back({source, AccessMode::kRead, "source_buffer"});
  accesses->push_back({destination, AccessMode::kWriteAll, "destination_buffer"});
}

absl::Status Verify(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::CopyThunkProto& copy = CopyOf(thunk);
  RETURN_IF_ERROR(CheckPresent(copy.has_source_buffer(), "source_buffer"));
  RETURN_IF_ERROR(CheckPresent(copy.has_destination_buffer(), "destination_buffer"));
  RETURN_IF_ERROR(CheckShaped(copy.source_buffer(), "source_buffer"));
  RETURN_IF_ERROR(CheckShaped(copy.destination_buffer(), "destination_buffer"));
  const int64_t source = copy.source_buffer().slice().size();
  const int64_t destination = copy.destination_buffer().slice().size();
  if (source != destination) {
    return Invalid("source_buffer has ", source, " bytes and destination_buffer ",
                   destination, "; a copy needs equal sizes");
  }
  if (copy.mem_size() != source) {
    return Invalid("mem_size is ", copy.mem_size(), "; the buffers have ", source,
                   " bytes");
  }
  return CheckOwnAccesses(*KindOf(thunk), thunk, context);
}

constexpr KindRules kRules[] = {
    {ThunkKind::kCopy, Verify, Accesses, nullptr},
    {ThunkKind::kDeviceToHostCopy, Verify, Accesses, nullptr},
    {ThunkKind::kHostToDeviceCopy, Verify, Accesses, nullptr},
    {ThunkKind::kDeviceToDeviceCopy, Verify, Accesses, nullptr},
};

}  // namespace

absl::Span<const KindRules> CopyRules() { return kRules; }

}  // namespace thunky::schema::kinds
