#include "thunky/container/executable_file.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/container/file_kind.h"
#include "thunky/container/proto_scan.h"
#include "thunky/container/riegeli_format.h"
#include "thunky/container/riegeli_reader.h"
#include "thunky/container/split_proto.h"
#include "thunky/container/text_proto.h"
#include "thunky/container/varint.h"

namespace thunky {
namespace {

constexpr char kOuterType[] = "xla.ExecutableAndOptionsProto";
constexpr char kInnerType[] = "xla.gpu.GpuExecutableProto";

constexpr char kAccepted[] =
    "accepted are an executable as JAX serializes it, with or without the metadata in "
    "front, and a GpuExecutableProto in binary or text form";

absl::Status NotAnExecutable(const std::string& found) {
  return absl::InvalidArgumentError(
      absl::StrCat("not an executable: ", found, "; ", kAccepted));
}

// A file that begins with a length and as many bytes of metadata.
struct MetadataSplit {
  std::string_view metadata;
  std::string_view rest;
};

std::optional<MetadataSplit> SplitMetadata(std::string_view bytes) {
  size_t at = 0;
  const std::optional<uint64_t> size = ReadVarint(bytes, at);
  if (!size || *size > bytes.size() - at) return std::nullopt;
  return MetadataSplit{bytes.substr(at, *size), bytes.substr(at + *size)};
}

// Whether the file can be a complete executable that lost its end: its metadata begin
// with the version number, the first field.
bool BeginsLikeMetadata(std::string_view bytes) {
  constexpr char kVersionTag = '\x08';
  size_t at = 0;
  const std::optional<uint64_t> size = ReadVarint(bytes, at);
  if (!size || at >= bytes.size() || bytes[at] != kVersionTag) return false;
  const uint64_t left = bytes.size() - at;
  return *size > left || left - *size < riegeli::kSignatureSize;
}

class ExecutableReader {
 public:
  ExecutableReader(std::string_view bytes, const ReadLimits& limits)
      : bytes_(bytes), limits_(limits), budget_(limits), scanner_(budget_) {}

  absl::StatusOr<ExecutableFile> Read() {
    if (bytes_.size() > limits_.max_decoded_bytes) {
      return absl::ResourceExhaustedError(absl::StrCat("the file has ", bytes_.size(),
                                                       " bytes, and the limit is ",
                                                       limits_.max_decoded_bytes));
    }
    RETURN_IF_ERROR(ReadByContent());
    file_.sizes.file = bytes_.size();
    file_.sizes.decoded = budget_.decoded_bytes();
    file_.name = file_.executable.module_name();
    if (file_.name.empty() && file_.metadata) {
      file_.name = file_.metadata->computation_name();
    }
    return std::move(file_);
  }

 private:
  absl::Status ReadByContent() {
    if (riegeli::LooksLikeRecordsFile(bytes_)) return ReadBareContainer();
    const std::optional<MetadataSplit> split = SplitMetadata(bytes_);
    if (split && riegeli::LooksLikeRecordsFile(split->rest)) {
      return ReadComplete(*split);
    }
    if (const std::string_view foreign = ForeignFormat(bytes_); !foreign.empty()) {
      return NotAnExecutable(absl::StrCat("found ", std::string(foreign)));
    }
    return LooksLikeText(bytes_) ? ReadText() : ReadBinary();
  }

  absl::Status ReadComplete(const MetadataSplit& split) {
    file_.kind = ExecutableKind::kComplete;
    file_.metadata_bytes = std::string(split.metadata);
    file_.sizes.metadata = split.metadata.size();
    file_.metadata.emplace();
    absl::Status status =
        budget_.ChargeDecodedBytes(split.metadata.size(), "the metadata");
    if (status.ok()) status = scanner_.Merge(split.metadata, *file_.metadata);
    if (!status.ok()) return Annotate(status, "metadata");
    absl::StatusOr<riegeli::RecordsFile> records =
        riegeli::ReadRecords(split.rest, budget_);
    if (!records.ok()) return Annotate(records.status(), "outer container");
    absl::StatusOr<wire::SplitProtoManifest> manifest =
        ReadSplitProtoManifest(records->records, scanner_);
    if (!manifest.ok()) return Annotate(manifest.status(), "outer container");
    return ReadOuter(split.rest, *std::move(records), *manifest);
  }

  // A container without metadata: the outer one or the inner one, as its manifest says.
  absl::Status ReadBareContainer() {
    absl::StatusOr<riegeli::RecordsFile> records = riegeli::ReadRecords(bytes_, budget_);
    if (!records.ok()) return Annotate(records.status(), "container");
    absl::StatusOr<wire::SplitProtoManifest> manifest =
        ReadSplitProtoManifest(records->records, scanner_);
    if (!manifest.ok()) return Annotate(manifest.status(), "container");
    if (manifest->result_proto_type() == kInnerType) {
      file_.kind = ExecutableKind::kInnerContainer;
      file_.sizes.inner_container = bytes_.size();
      return Annotate(MergeSplitProto(*manifest, records->records, kInnerType, scanner_,
                                      file_.executable),
                      "inner container");
    }
    file_.kind = ExecutableKind::kOuterContainer;
    return ReadOuter(bytes_, *std::move(records), *manifest);
  }

  absl::Status ReadOuter(std::string_view container, riegeli::RecordsFile records,
                         const wire::SplitProtoManifest& manifest) {
    file_.sizes.outer_container = container.size();
    file_.options.emplace();
    const absl::Status status =
        MergeSplitProto(manifest, records.records, kOuterType, scanner_, *file_.options);
    if (!status.ok()) return Annotate(status, "outer container");
    records = {};
    const std::string inner = std::move(*file_.options->mutable_serialized_executable());
    file_.options->clear_serialized_executable();
    return Annotate(ReadInner(inner), "inner container");
  }

  absl::Status ReadInner(const std::string& container) {
    file_.sizes.inner_container = container.size();
    if (!riegeli::LooksLikeRecordsFile(container)) {
      const std::string_view foreign = ForeignFormat(container);
      return absl::InvalidArgumentError(absl::StrCat(
          "expected a records file with a GpuExecutableProto, found ",
          foreign.empty() ? absl::StrCat("other data of ", container.size(), " bytes")
                          : std::string(foreign),
          "; was this compiled for a GPU?"));
    }
    ASSIGN_OR_RETURN(const riegeli::RecordsFile records,
                     riegeli::ReadRecords(container, budget_));
    ASSIGN_OR_RETURN(const wire::SplitProtoManifest manifest,
                     ReadSplitProtoManifest(records.records, scanner_));
    return MergeSplitProto(manifest, records.records, kInnerType, scanner_,
                           file_.executable);
  }

  absl::Status ReadText() {
    if (const std::string_view foreign = ForeignText(bytes_); !foreign.empty()) {
      return NotAnExecutable(absl::StrCat("found ", std::string(foreign)));
    }
    file_.kind = ExecutableKind::kTextProto;
    RETURN_IF_ERROR(budget_.ChargeDecodedBytes(bytes_.size(), "the file"));
    const absl::Status status =
        ParseTextProto(bytes_, scanner_.shapes(), budget_, file_.executable);
    if (absl::IsInvalidArgument(status)) {
      return NotAnExecutable(absl::StrCat(
          "found text that is no GpuExecutableProto in text form: ", status.message()));
    }
    RETURN_IF_ERROR(status);
    return ExpectContent();
  }

  // A short message can begin as metadata do, so it is tried first.
  absl::Status ReadBinary() {
    const absl::Status status = ReadBinaryProto();
    if (!absl::IsInvalidArgument(status) || !BeginsLikeMetadata(bytes_)) return status;
    return absl::InvalidArgumentError(
        absl::StrCat("outer container: the file ends after ", bytes_.size(),
                     " bytes, before the container that follows the metadata begins"));
  }

  absl::Status ReadBinaryProto() {
    file_.kind = ExecutableKind::kBinaryProto;
    RETURN_IF_ERROR(budget_.ChargeDecodedBytes(bytes_.size(), "the file"));
    const absl::Status status = scanner_.Merge(bytes_, file_.executable);
    if (absl::IsInvalidArgument(status)) {
      return NotAnExecutable(absl::StrCat(
          "found binary data that is no GpuExecutableProto: ", status.message()));
    }
    RETURN_IF_ERROR(status);
    return ExpectContent();
  }

  // Many bytes happen to be a message, if one of which little or nothing is known.
  absl::Status ExpectContent() const {
    const wire::GpuExecutableProto& executable = file_.executable;
    if (executable.thunks().empty() && !executable.has_buffer_allocations()) {
      return NotAnExecutable(
          "as a GpuExecutableProto the file has neither thunks nor buffer allocations");
    }
    const auto& unknown = executable.GetReflection()->GetUnknownFields(executable);
    std::string unknown_bytes;
    if (!unknown.SerializeToString(&unknown_bytes) ||
        unknown_bytes.size() > bytes_.size() / 2) {
      return NotAnExecutable(absl::StrCat("as a GpuExecutableProto most of the file, ",
                                          unknown_bytes.size(),
                                          " bytes, is in unknown fields"));
    }
    return absl::OkStatus();
  }

  const std::string_view bytes_;
  const ReadLimits limits_;
  ReadBudget budget_;
  ProtoScanner scanner_;
  ExecutableFile file_;
};

}  // namespace

std::string_view ExecutableKindName(ExecutableKind kind) {
  switch (kind) {
    case ExecutableKind::kComplete:
      return "complete executable";
    case ExecutableKind::kOuterContainer:
      return "outer container";
    case ExecutableKind::kInnerContainer:
      return "inner container";
    case ExecutableKind::kBinaryProto:
      return "GpuExecutableProto";
    case ExecutableKind::kTextProto:
      return "GpuExecutableProto in text form";
  }
  return "";
}

absl::StatusOr<ExecutableFile> ReadExecutableFile(std::string_view bytes,
                                                  const ReadLimits& limits) {
  return ExecutableReader(bytes, limits).Read();
}

}  // namespace thunky
