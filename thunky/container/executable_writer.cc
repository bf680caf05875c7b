#include "thunky/container/executable_writer.h"

#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/text_format.h"
#include "thunky/base/status_macros.h"
#include "thunky/container/message_walk.h"
#include "thunky/container/riegeli_writer.h"
#include "thunky/container/varint.h"

namespace thunky {
namespace {

class ExecutableWriter {
 public:
  ExecutableWriter(const ExecutableFile& file, const ExecutableWriteOptions& options)
      : file_(file), options_(options), kind_(options.kind.value_or(file.kind)) {}

  absl::StatusOr<std::string> Write() const {
    RETURN_IF_ERROR(CheckReadable(file_.executable));
    switch (kind_) {
      case ExecutableKind::kComplete:
        return Complete();
      case ExecutableKind::kOuterContainer:
        return OuterContainer();
      case ExecutableKind::kInnerContainer:
        return InnerContainer();
      case ExecutableKind::kBinaryProto:
        return SerializeInOrder(file_.executable);
      case ExecutableKind::kTextProto:
        return Text();
    }
    return absl::InvalidArgumentError(
        absl::StrCat("no kind of file has the number ", static_cast<int>(kind_)));
  }

 private:
  absl::StatusOr<std::string> Complete() const {
    if (file_.metadata_bytes.empty()) return Lacks("metadata");
    std::string bytes;
    AppendVarint(file_.metadata_bytes.size(), bytes);
    bytes += file_.metadata_bytes;
    ASSIGN_OR_RETURN(const std::string container, OuterContainer());
    return bytes + container;
  }

  absl::StatusOr<std::string> OuterContainer() const {
    if (!file_.options.has_value()) return Lacks("compile options");
    if (absl::Status status = CheckReadable(*file_.options); !status.ok()) {
      return Annotate(status, "compile options");
    }
    if (!file_.options->serialized_executable().empty()) {
      return absl::InvalidArgumentError(
          "compile options: serialized_executable has content, but the executable is "
          "what is written there");
    }
    ASSIGN_OR_RETURN(const std::string inner, InnerContainer());
    const FieldContent executable = {
        wire::ExecutableAndOptionsProto::kSerializedExecutableFieldNumber, inner};
    return Container("xla.ExecutableAndOptionsProto", *file_.options, {&executable, 1});
  }

  absl::StatusOr<std::string> InnerContainer() const {
    return Container("xla.gpu.GpuExecutableProto", file_.executable, {});
  }

  absl::StatusOr<std::string> Container(std::string_view type,
                                        const google::protobuf::Message& message,
                                        absl::Span<const FieldContent> outside) const {
    ASSIGN_OR_RETURN(const std::vector<std::string> records,
                     SplitProto(type, message, outside, options_.limits));
    const std::vector<std::string_view> views(records.begin(), records.end());
    return riegeli::WriteRecords(views, {.compression = options_.compression});
  }

  absl::StatusOr<std::string> Text() const {
    const std::string unknown = FirstUnknownField(file_.executable);
    if (!unknown.empty() && !options_.drop_unknown_fields_in_text) {
      return absl::FailedPreconditionError(absl::StrCat(
          "the text form cannot hold fields that this build does not know, such as ",
          unknown));
    }
    google::protobuf::TextFormat::Printer printer;
    printer.SetHideUnknownFields(true);
    std::string text;
    if (!printer.PrintToString(file_.executable, &text)) {
      return absl::InternalError("protobuf does not print the executable as text");
    }
    return text;
  }

  absl::Status Lacks(const char* what) const {
    return absl::FailedPreconditionError(absl::StrCat(
        "writing as ", std::string(ExecutableKindName(kind_)), " takes ", what,
        ", and the ", std::string(ExecutableKindName(file_.kind)), " to write has none"));
  }

  const ExecutableFile& file_;
  const ExecutableWriteOptions& options_;
  const ExecutableKind kind_;
};

}  // namespace

absl::StatusOr<std::string> WriteExecutableFile(const ExecutableFile& file,
                                                const ExecutableWriteOptions& options) {
  return ExecutableWriter(file, options).Write();
}

}  // namespace thunky
