#include "thunky/runtime/decoder.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"
#include "thunky/runtime/thunks/thunks.h"

namespace thunky::runtime {

DecodeFunction DecodeFunctionFor(schema::ThunkKind kind) {
  using schema::ThunkKind;
  switch (kind) {
    case ThunkKind::kAsyncDone:
      return DecodeAsyncDone;
    case ThunkKind::kAsyncStart:
      return DecodeAsyncStart;
    case ThunkKind::kConditional:
      return DecodeConditional;
    case ThunkKind::kCustomCall:
      return DecodeCustomCall;
    case ThunkKind::kCustomKernel:
      return DecodeCustomKernel;
    case ThunkKind::kDeviceToDeviceCopy:
      return DecodeCopy;
    case ThunkKind::kDynamicSliceFusion:
      return DecodeDynamicSliceFusion;
    case ThunkKind::kMemset32:
      return DecodeMemset32;
    case ThunkKind::kMemzero:
      return DecodeMemzero;
    case ThunkKind::kPartitionId:
      return DecodePartitionId;
    case ThunkKind::kReplicaId:
      return DecodeReplicaId;
    case ThunkKind::kSequential:
      return DecodeSequential;
    case ThunkKind::kWhile:
      return DecodeWhile;
    default:
      return nullptr;
  }
}

absl::StatusOr<ThunkSequence> Decoder::DecodeSequence(
    const wire::ThunkSequenceProto& proto, std::string_view path) {
  return DecodeThunks(proto.thunks(), path);
}

absl::StatusOr<ThunkSequence> Decoder::DecodeThunks(
    const google::protobuf::RepeatedPtrField<wire::ThunkProto>& protos,
    std::string_view path) {
  std::vector<std::unique_ptr<Thunk>> thunks;
  thunks.reserve(static_cast<size_t>(protos.size()));
  for (int i = 0; i < protos.size(); ++i) {
    ASSIGN_OR_RETURN(
        std::unique_ptr<Thunk> thunk,
        DecodeThunk(protos[i], absl::StrCat(std::string(path), "[", i, "]")));
    if (thunk != nullptr) thunks.push_back(std::move(thunk));
  }
  return ThunkSequence(std::move(thunks));
}

absl::StatusOr<std::unique_ptr<Thunk>> Decoder::DecodeThunk(const wire::ThunkProto& proto,
                                                            std::string path) {
  auto kind = schema::KindOf(proto);
  if (!kind.ok()) return Annotate(kind.status(), path);
  ThunkInfo info{.kind = *kind,
                 .path = std::move(path),
                 .location = proto.thunk_info().profile_annotation(),
                 .name = {}};
  const DecodeFunction decode = DecodeFunctionFor(*kind);
  if (decode == nullptr) {
    ReportMissing(
        info, absl::StrCat("thunk kind '", std::string(schema::KindName(*kind)), "'"));
    return nullptr;
  }
  std::string where = info.path;
  auto thunk = decode(proto, std::move(info), *this);
  // A thunk inside has already put its own, longer path in front.
  if (!thunk.ok() &&
      thunk.status().message().rfind("thunks[", 0) == absl::string_view::npos) {
    return Annotate(thunk.status(), where);
  }
  return thunk;
}

void Decoder::ReportMissing(const ThunkInfo& info, std::string what) {
  std::string line = absl::StrCat(info.path, ": ", what, " is not supported");
  if (!info.location.empty()) absl::StrAppend(&line, " (at ", info.location, ")");
  missing_.push_back(std::move(line));
}

absl::Status Decoder::Finish() const {
  if (missing_.empty()) return absl::OkStatus();
  std::string text = missing_.front();
  if (missing_.size() > 1) {
    absl::StrAppend(&text, "; ", missing_.size() - 1, " more:\n  ",
                    absl::StrJoin(missing_.begin() + 1, missing_.end(), "\n  "));
  }
  return absl::UnimplementedError(text);
}

}  // namespace thunky::runtime
