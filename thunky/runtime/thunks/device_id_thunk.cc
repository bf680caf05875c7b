#include "thunky/runtime/thunks/device_id_thunk.h"

#include <utility>

#include "thunky/schema/access.h"

namespace thunky::runtime {
namespace {

// Which number of the run's position is written.
using Position = uint32_t RecordContext::*;

class DeviceIdThunk : public Thunk {
 public:
  DeviceIdThunk(ThunkInfo info, schema::Slice dst, Position position)
      : Thunk(std::move(info)), dst_(dst), position_(position) {}

  absl::Status Record(const RecordContext& context,
                      hal::Recorder& recorder) const override {
    return recorder.Fill(context.buffers.Resolve(dst_), context.*position_);
  }

 private:
  schema::Slice dst_;
  Position position_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> DecodePartitionId(const wire::ThunkProto& proto,
                                                         ThunkInfo info,
                                                         Decoder& decoder) {
  return std::make_unique<DeviceIdThunk>(
      std::move(info), schema::SliceOf(proto.partition_id_thunk().dest_buffer()),
      &RecordContext::partition_id);
}

absl::StatusOr<std::unique_ptr<Thunk>> DecodeReplicaId(const wire::ThunkProto& proto,
                                                       ThunkInfo info, Decoder& decoder) {
  return std::make_unique<DeviceIdThunk>(
      std::move(info), schema::SliceOf(proto.replica_id_thunk().dest_buffer()),
      &RecordContext::replica_id);
}

}  // namespace thunky::runtime
