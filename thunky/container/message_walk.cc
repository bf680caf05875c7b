#include "thunky/container/message_walk.h"

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/unknown_field_set.h"
#include "thunky/base/status_macros.h"
#include "thunky/container/proto_scan.h"
#include "thunky/container/utf8.h"

namespace thunky {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

struct Step {
  const FieldDescriptor* field = nullptr;
  int index = 0;
};
using Path = std::vector<Step>;

std::string ToString(const Path& path) {
  std::string text;
  for (const Step& step : path) {
    absl::StrAppend(&text, text.empty() ? "" : ".", step.field->name());
    if (step.field->is_repeated()) absl::StrAppend(&text, "[", step.index, "]");
  }
  return text;
}

absl::Status At(const Path& path, const FieldDescriptor* field, int index,
                const std::string& what) {
  Path whole = path;
  if (field != nullptr) whole.push_back({field, index});
  return absl::InvalidArgumentError(absl::StrCat(ToString(whole), ": ", what));
}

using Visitor = absl::FunctionRef<absl::Status(const Path&, const Message&)>;

// Parents first. `path` is where `message` is. Depth is limited before recursion.
absl::Status Walk(const Message& message, Path& path, Visitor visit) {
  if (path.size() > static_cast<size_t>(kMaxMessageDepth)) {
    return At(path, nullptr, 0,
              absl::StrCat("messages are nested more than ", kMaxMessageDepth, " deep"));
  }
  RETURN_IF_ERROR(visit(path, message));
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      path.push_back({field, i});
      RETURN_IF_ERROR(Walk(field->is_repeated()
                               ? reflection.GetRepeatedMessage(message, field, i)
                               : reflection.GetMessage(message, field),
                           path, visit));
      path.pop_back();
    }
  }
  return absl::OkStatus();
}

absl::Status CheckStrings(const Path& path, const Message& message) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->type() != FieldDescriptor::TYPE_STRING) continue;
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      std::string scratch;
      const std::string& text =
          field->is_repeated()
              ? reflection.GetRepeatedStringReference(message, field, i, &scratch)
              : reflection.GetStringReference(message, field, &scratch);
      if (!IsUtf8(text)) return At(path, field, i, "expected UTF-8 text");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckReadable(const Message& message) {
  Path path;
  return Walk(message, path, CheckStrings);
}

std::string FirstUnknownField(const Message& message) {
  Path path;
  std::string found;
  const absl::Status status =
      Walk(message, path, [&found](const Path& at, const Message& part) {
        const auto& unknown = part.GetReflection()->GetUnknownFields(part);
        if (unknown.empty()) return absl::OkStatus();
        found = absl::StrCat(ToString(at), at.empty() ? "" : ", ", "field ",
                             unknown.field(0).number());
        return absl::CancelledError();
      });
  return status.ok() ? "" : found;
}

}  // namespace thunky
