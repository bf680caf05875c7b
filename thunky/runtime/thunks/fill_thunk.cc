#include "thunky/runtime/thunks/fill_thunk.h"

#include <utility>

#include "thunky/schema/access.h"

namespace thunky::runtime {
namespace {

class FillThunk : public Thunk {
 public:
  FillThunk(ThunkInfo info, schema::Slice dst, uint32_t pattern)
      : Thunk(std::move(info)), dst_(dst), pattern_(pattern) {}

  absl::Status Record(const RecordContext& context,
                      hal::Recorder& recorder) const override {
    return recorder.Fill(context.buffers.Resolve(dst_), pattern_);
  }

 private:
  schema::Slice dst_;
  uint32_t pattern_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> DecodeMemzero(const wire::ThunkProto& proto,
                                                     ThunkInfo info, Decoder& decoder) {
  return std::make_unique<FillThunk>(
      std::move(info), schema::SliceOf(proto.memzero_thunk().dest_buffer().slice()), 0);
}

absl::StatusOr<std::unique_ptr<Thunk>> DecodeMemset32(const wire::ThunkProto& proto,
                                                      ThunkInfo info, Decoder& decoder) {
  const wire::Memset32BitValueThunkProto& memset = proto.memset32bit_value_thunk();
  return std::make_unique<FillThunk>(
      std::move(info), schema::SliceOf(memset.dest_buffer()), memset.value());
}

}  // namespace thunky::runtime
