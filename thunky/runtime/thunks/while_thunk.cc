#include "thunky/runtime/thunks/while_thunk.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/access.h"

namespace thunky::runtime {
namespace {

class WhileThunk : public Thunk {
 public:
  WhileThunk(ThunkInfo info, schema::Slice predicate, std::optional<uint64_t> trip_count,
             ThunkSequence condition, ThunkSequence body)
      : Thunk(std::move(info)),
        predicate_(predicate),
        trip_count_(trip_count),
        condition_(std::move(condition)),
        body_(std::move(body)) {}

  absl::Status Prepare(const PrepareContext& context) const override {
    RETURN_IF_ERROR(condition_.Prepare(context));
    return body_.Prepare(context);
  }

  absl::Status Record(const RecordContext& context,
                      hal::Recorder& recorder) const override {
    auto condition = [&](hal::Recorder& r) { return condition_.Record(context, r); };
    auto body = [&](hal::Recorder& r) { return body_.Record(context, r); };
    return recorder.Loop(context.buffers.Resolve(predicate_), trip_count_, condition,
                         body);
  }

  bool forks() const override { return condition_.forks() || body_.forks(); }

 private:
  schema::Slice predicate_;
  std::optional<uint64_t> trip_count_;
  ThunkSequence condition_;
  ThunkSequence body_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> DecodeWhile(const wire::ThunkProto& proto,
                                                   ThunkInfo info, Decoder& decoder) {
  const wire::WhileThunkProto& loop = proto.while_thunk();
  std::optional<uint64_t> trip_count;
  if (loop.has_trip_count()) trip_count = static_cast<uint64_t>(loop.trip_count());
  ASSIGN_OR_RETURN(ThunkSequence condition,
                   decoder.DecodeSequence(loop.condition_thunk_sequence(),
                                          absl::StrCat(info.path, ".while.cond")));
  ASSIGN_OR_RETURN(ThunkSequence body,
                   decoder.DecodeSequence(loop.body_thunk_sequence(),
                                          absl::StrCat(info.path, ".while.body")));
  return std::make_unique<WhileThunk>(
      std::move(info), schema::SliceOf(loop.condition_result_buffer_index()), trip_count,
      std::move(condition), std::move(body));
}

}  // namespace thunky::runtime
