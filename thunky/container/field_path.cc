#include "thunky/container/field_path.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/container/message_cost.h"
#include "thunky/container/utf8.h"

namespace thunky {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Part = wire::Record::FieldOverrideRecord::FieldPathPart;

// In steps of up to 64 bytes: about a second of work, and a thousand keys in a map of
// ten thousand need a tenth of it.
constexpr uint64_t kMaxKeySteps = 100'000'000;

absl::Status Wrong(const std::string& message) {
  return absl::InvalidArgumentError(message);
}

absl::StatusOr<const FieldDescriptor*> FindField(const Message& message,
                                                 const Part& part) {
  const FieldDescriptor* field =
      message.GetDescriptor()->FindFieldByNumber(part.field_number());
  if (field == nullptr) {
    return Wrong(absl::StrCat(message.GetDescriptor()->name(), " has no field ",
                              part.field_number()));
  }
  return field;
}

absl::Status ExpectNoIndex(const FieldDescriptor& field, const Part& part) {
  if (part.index_case() == Part::INDEX_NOT_SET) return absl::OkStatus();
  return Wrong(absl::StrCat("field ", field.name(),
                            " is no list and no map, but the path has an index"));
}

absl::StatusOr<int> Index(const Message& message, const FieldDescriptor& field,
                          const Part& part) {
  if (part.index_case() != Part::kRepeatedFieldIndex) {
    return Wrong(absl::StrCat("field ", field.name(),
                              " is a list, but the path has no index of it"));
  }
  const int size = message.GetReflection()->FieldSize(message, &field);
  if (part.repeated_field_index() < 0 || part.repeated_field_index() >= size) {
    return Wrong(absl::StrCat("field ", field.name(), " has ", size,
                              " elements, and the index is ",
                              part.repeated_field_index()));
  }
  return static_cast<int>(part.repeated_field_index());
}

// Reads and writes the key of a map entry as the path writes it: text or an integer.
// False when the integer is not a value of the key's type.
bool KeyMatches(const Message& entry, const FieldDescriptor& key, const Part& part) {
  const Reflection& reflection = *entry.GetReflection();
  switch (key.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string scratch;
      return reflection.GetStringReference(entry, &key, &scratch) ==
             part.string_map_key();
    }
    case FieldDescriptor::CPPTYPE_BOOL:
      return int64_t{reflection.GetBool(entry, &key)} == part.int_map_key();
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.GetInt32(entry, &key) == part.int_map_key();
    case FieldDescriptor::CPPTYPE_UINT32:
      return int64_t{reflection.GetUInt32(entry, &key)} == part.int_map_key();
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.GetInt64(entry, &key) == part.int_map_key();
    case FieldDescriptor::CPPTYPE_UINT64:
      return reflection.GetUInt64(entry, &key) ==
             static_cast<uint64_t>(part.int_map_key());
    default:
      return false;
  }
}

template <typename T>
bool Holds(int64_t value) {
  return value >= int64_t{std::numeric_limits<T>::min()} &&
         value <= int64_t{std::numeric_limits<T>::max()};
}

bool SetKey(Message& entry, const FieldDescriptor& key, const Part& part) {
  const Reflection& reflection = *entry.GetReflection();
  const int64_t value = part.int_map_key();
  switch (key.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      reflection.SetString(&entry, &key, part.string_map_key());
      return true;
    case FieldDescriptor::CPPTYPE_BOOL:
      reflection.SetBool(&entry, &key, value != 0);
      return Holds<bool>(value);
    case FieldDescriptor::CPPTYPE_INT32:
      reflection.SetInt32(&entry, &key, static_cast<int32_t>(value));
      return Holds<int32_t>(value);
    case FieldDescriptor::CPPTYPE_UINT32:
      reflection.SetUInt32(&entry, &key, static_cast<uint32_t>(value));
      return Holds<uint32_t>(value);
    case FieldDescriptor::CPPTYPE_INT64:
      reflection.SetInt64(&entry, &key, value);
      return true;
    case FieldDescriptor::CPPTYPE_UINT64:
      reflection.SetUInt64(&entry, &key, static_cast<uint64_t>(value));
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::Status FieldSetter::Set(const FieldPath& path, std::string_view content) {
  if (path.empty()) return Wrong("the field path is empty");
  if (path.size() > kMaxMessageDepth) {
    return Wrong(absl::StrCat("the field path has ", path.size(), " parts, at most ",
                              kMaxMessageDepth, " are allowed"));
  }
  Message* at = &message_;
  for (int i = 0; i + 1 < path.size(); ++i) {
    absl::Status status = Enter(path[i], at);
    if (!status.ok()) return Annotate(status, absl::StrCat("field path part ", i));
  }
  return Annotate(Assign(path[path.size() - 1], content, *at),
                  absl::StrCat("field path part ", path.size() - 1));
}

absl::Status FieldSetter::Enter(const Part& part, Message*& at) {
  ASSIGN_OR_RETURN(const FieldDescriptor* field, FindField(*at, part));
  const Reflection& reflection = *at->GetReflection();
  if (field->is_map()) {
    ASSIGN_OR_RETURN(at, MapEntry(part, *field, *at));
    Part value;
    value.set_field_number(2);
    return Enter(value, at);
  }
  if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
    return Wrong(
        absl::StrCat("field ", field->name(), " is no message, but the path goes on"));
  }
  if (field->is_repeated()) {
    ASSIGN_OR_RETURN(const int index, Index(*at, *field, part));
    at = reflection.MutableRepeatedMessage(at, field, index);
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(ExpectNoIndex(*field, part));
  if (!reflection.HasField(*at, field)) {
    RETURN_IF_ERROR(scanner_.budget().ChargeMessageMemory(
        scanner_.shapes().Of(field->message_type()).size, "a message on the path"));
  }
  at = reflection.MutableMessage(at, field);
  return absl::OkStatus();
}

absl::Status FieldSetter::Assign(const Part& part, std::string_view content,
                                 Message& at) {
  ASSIGN_OR_RETURN(const FieldDescriptor* field, FindField(at, part));
  if (field->is_map()) {
    ASSIGN_OR_RETURN(Message * entry, MapEntry(part, *field, at));
    Part value;
    value.set_field_number(2);
    return Assign(value, content, *entry);
  }
  if (field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) {
    return Wrong(absl::StrCat("expected a string or bytes field, found ", field->name(),
                              " of type ", field->type_name()));
  }
  if (field->type() == FieldDescriptor::TYPE_STRING && !IsUtf8(content)) {
    return Wrong(absl::StrCat("field ", field->name(), ": expected UTF-8 text"));
  }
  RETURN_IF_ERROR(
      scanner_.budget().ChargeMessageMemory(StringCost(content.size()), "the field"));
  const Reflection& reflection = *at.GetReflection();
  if (field->is_repeated()) {
    ASSIGN_OR_RETURN(const int index, Index(at, *field, part));
    reflection.SetRepeatedString(&at, field, index, std::string(content));
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(ExpectNoIndex(*field, part));
  reflection.SetString(&at, field, std::string(content));
  return absl::OkStatus();
}

absl::StatusOr<Message*> FieldSetter::MapEntry(const Part& part,
                                               const FieldDescriptor& field,
                                               Message& at) {
  const FieldDescriptor& key = *field.message_type()->map_key();
  const bool text = key.cpp_type() == FieldDescriptor::CPPTYPE_STRING;
  if (part.index_case() != (text ? Part::kStringMapKey : Part::kIntMapKey)) {
    return Wrong(absl::StrCat("field ", field.name(), " is a map with ", key.type_name(),
                              " keys, but the path has no such key"));
  }
  const Reflection& reflection = *at.GetReflection();
  const int size = reflection.FieldSize(at, &field);
  constexpr uint64_t kBytesPerStep = 64;
  key_steps_ += (1 + static_cast<uint64_t>(size)) *
                (1 + part.string_map_key().size() / kBytesPerStep);
  if (key_steps_ > kMaxKeySteps) {
    return absl::ResourceExhaustedError(
        absl::StrCat("finding map keys takes more than ", kMaxKeySteps, " steps"));
  }
  for (int i = 0; i < size; ++i) {
    Message* entry = reflection.MutableRepeatedMessage(&at, &field, i);
    if (KeyMatches(*entry, key, part)) return entry;
  }
  RETURN_IF_ERROR(scanner_.budget().ChargeMessageMemory(
      2 * scanner_.shapes().Of(field.message_type()).size + kMapNode + kPointerInArray +
          2 * StringCost(part.string_map_key().size()),
      "the map entry"));
  Message* entry = reflection.AddMessage(&at, &field);
  if (!SetKey(*entry, key, part)) {
    return Wrong(absl::StrCat("field ", field.name(), ": ", part.int_map_key(), " is no ",
                              key.type_name()));
  }
  return entry;
}

}  // namespace thunky
