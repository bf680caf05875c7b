#include "thunky/runtime/thunks/sequential_thunk.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::runtime {
namespace {

class SequentialThunk : public Thunk {
 public:
  SequentialThunk(ThunkInfo info, ThunkSequence thunks)
      : Thunk(std::move(info)), thunks_(std::move(thunks)) {}

  absl::Status Prepare(const PrepareContext& context) const override {
    return thunks_.Prepare(context);
  }
  absl::Status Record(const RecordContext& context,
                      hal::Recorder& recorder) const override {
    return thunks_.Record(context, recorder);
  }
  bool forks() const override { return thunks_.forks(); }

 private:
  ThunkSequence thunks_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> DecodeSequential(const wire::ThunkProto& proto,
                                                        ThunkInfo info,
                                                        Decoder& decoder) {
  ASSIGN_OR_RETURN(ThunkSequence thunks,
                   decoder.DecodeThunks(proto.sequential_thunk().thunks(),
                                        absl::StrCat(info.path, ".sequential")));
  return std::make_unique<SequentialThunk>(std::move(info), std::move(thunks));
}

}  // namespace thunky::runtime
