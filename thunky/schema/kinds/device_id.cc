// Thunks that write this device's number: partition_id and replica_id.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

const wire::BufferAllocationSliceProto& DestinationOf(const wire::ThunkProto& thunk) {
  return thunk.has_partition_id_thunk() ? thunk.partition_id_thunk().dest_buffer()
                                        : thunk.replica_id_thunk().dest_buffer();
}

void Accesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  accesses->push_back(
      {SliceOf(DestinationOf(thunk)), AccessMode::kWriteAll, "dest_buffer"});
}

absl::Status Verify(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const bool present = thunk.has_partition_id_thunk()
                           ? thunk.partition_id_thunk().has_dest_buffer()
                           : thunk.replica_id_thunk().has_dest_buffer();
  RETURN_IF_ERROR(CheckPresent(present, "dest_buffer"));
  const int64_t size = DestinationOf(thunk).size();
  if (size != 4) return Invalid("dest_buffer has ", size, " bytes; it must have 4");
  return CheckOwnAccesses(*KindOf(thunk), thunk, context);
}

constexpr KindRules kRules[] = {
    {ThunkKind::kPartitionId, Verify, Accesses, nullptr},
    {ThunkKind::kReplicaId, Verify, Accesses, nullptr},
};

}  // namespace

absl::Span<const KindRules> DeviceIdRules() { return kRules; }

}  // namespace thunky::schema::kinds
