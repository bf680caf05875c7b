#include "thunky/runtime/thunks/copy_thunk.h"

#include <utility>

#include "thunky/schema/access.h"

namespace thunky::runtime {
namespace {

class CopyThunk : public Thunk {
 public:
  CopyThunk(ThunkInfo info, schema::Slice dst, schema::Slice src)
      : Thunk(std::move(info)), dst_(dst), src_(src) {}

  absl::Status Record(const RecordContext& context,
                      hal::Recorder& recorder) const override {
    return recorder.Copy(context.buffers.Resolve(dst_), context.buffers.Resolve(src_));
  }

 private:
  schema::Slice dst_;
  schema::Slice src_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> DecodeCopy(const wire::ThunkProto& proto,
                                                  ThunkInfo info, Decoder& decoder) {
  const wire::CopyThunkProto& copy = proto.device_to_device_copy_thunk().copy_thunk();
  return std::make_unique<CopyThunk>(std::move(info),
                                     schema::SliceOf(copy.destination_buffer().slice()),
                                     schema::SliceOf(copy.source_buffer().slice()));
}

}  // namespace thunky::runtime
