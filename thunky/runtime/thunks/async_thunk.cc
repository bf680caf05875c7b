#include "thunky/runtime/thunks/async_thunk.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::runtime {
namespace {

class AsyncStartThunk : public Thunk {
 public:
  AsyncStartThunk(ThunkInfo info, uint64_t id, hal::StreamId stream, ThunkSequence body)
      : Thunk(std::move(info)), id_(id), stream_(stream), body_(std::move(body)) {}

  absl::Status Prepare(const PrepareContext& context) const override {
    return body_.Prepare(context);
  }

  absl::Status Record(const RecordContext& context,
                      hal::Recorder& recorder) const override {
    auto body = [this, &context](hal::Recorder& r) { return body_.Record(context, r); };
    ASSIGN_OR_RETURN(auto token, recorder.Fork(stream_, body_.forks(), body));
    context.tokens.Put(id_, std::move(token));
    return absl::OkStatus();
  }

  bool forks() const override { return true; }
  const uint64_t* opens() const override { return &id_; }

 private:
  uint64_t id_;
  hal::StreamId stream_;
  ThunkSequence body_;
};

class AsyncDoneThunk : public Thunk {
 public:
  AsyncDoneThunk(ThunkInfo info, uint64_t id) : Thunk(std::move(info)), id_(id) {}

  absl::Status Record(const RecordContext& context,
                      hal::Recorder& recorder) const override {
    auto token = context.tokens.Take(id_);
    if (token == nullptr) {
      return absl::InternalError(
          absl::StrCat("async execution ", id_, " is not open in this run"));
    }
    return recorder.Join(std::move(token));
  }

 private:
  uint64_t id_;
};

// Neither stream field set means computation stream 0.
hal::StreamId StreamOf(const wire::AsyncStartThunkProto& start) {
  using Kind = hal::StreamId::Kind;
  if (start.execution_stream_id_case() ==
      wire::AsyncStartThunkProto::kCommunicationStreamId) {
    return {Kind::kCommunication, start.communication_stream_id()};
  }
  return {Kind::kComputation, start.computation_stream_id()};
}

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> DecodeAsyncStart(const wire::ThunkProto& proto,
                                                        ThunkInfo info,
                                                        Decoder& decoder) {
  const wire::AsyncStartThunkProto& start = proto.async_start_thunk();
  ASSIGN_OR_RETURN(ThunkSequence body,
                   decoder.DecodeSequence(start.thunks(),
                                          absl::StrCat(info.path, ".async_start.body")));
  return std::make_unique<AsyncStartThunk>(std::move(info), start.async_execution_id(),
                                           StreamOf(start), std::move(body));
}

absl::StatusOr<std::unique_ptr<Thunk>> DecodeAsyncDone(const wire::ThunkProto& proto,
                                                       ThunkInfo info, Decoder& decoder) {
  return std::make_unique<AsyncDoneThunk>(std::move(info),
                                          proto.async_done_thunk().async_execution_id());
}

}  // namespace thunky::runtime
