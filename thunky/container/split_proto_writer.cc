#include "thunky/container/split_proto_writer.h"

#include <algorithm>
#include <climits>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "proto/split_proto.pb.h"
#include "thunky/base/status_macros.h"

namespace thunky {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// More than the tag and the length of a field take up.
constexpr uint64_t kFieldOverhead = 16;

std::vector<const FieldDescriptor*> FieldsOf(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  return fields;
}

bool IsMessageList(const FieldDescriptor& field) {
  return field.is_repeated() && !field.is_map() &&
         field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
}

class Splitter {
 public:
  Splitter(std::string_view type, const SplitLimits& limits) : limits_(limits) {
    manifest_.set_result_proto_type(std::string(type));
  }

  void AddOverride(const FieldContent& field) {
    auto* override = manifest_.add_records()->mutable_field_override_record();
    override->set_field_type(wire::Record::FieldOverrideRecord::TYPE_STRING);
    override->add_field_path()->set_field_number(field.number);
    records_.emplace_back(field.content);
  }

  absl::Status Add(const Message& message) {
    const bool fits = message.ByteSizeLong() <=
                      std::min(limits_.max_merge_bytes, limits_.max_inline_bytes);
    if (fits) return AddMerge(message);
    const std::unique_ptr<Message> rest(message.New());
    rest->CopyFrom(message);
    TakeLargeStrings(*rest);
    return AddParts(*rest);
  }

  absl::StatusOr<std::vector<std::string>> Finish() && {
    ASSIGN_OR_RETURN(std::string first, SerializeInOrder(manifest_));
    records_.insert(records_.begin(), std::move(first));
    return std::move(records_);
  }

 private:
  absl::Status AddMerge(const Message& part) {
    manifest_.add_records()->mutable_proto_merge_record();
    ASSIGN_OR_RETURN(std::string record, SerializeInOrder(part));
    records_.push_back(std::move(record));
    return absl::OkStatus();
  }

  void TakeLargeStrings(Message& rest) {
    const Reflection& reflection = *rest.GetReflection();
    for (const FieldDescriptor* field : FieldsOf(rest)) {
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_STRING || field->is_repeated()) {
        continue;
      }
      std::string scratch;
      const std::string& content = reflection.GetStringReference(rest, field, &scratch);
      if (content.size() <= limits_.max_inline_bytes) continue;
      AddOverride({field->number(), content});
      reflection.ClearField(&rest, field);
    }
  }

  // Merge records: the elements of the top level's lists, in their order, as many to a
  // record as go in, and the rest.
  absl::Status AddParts(Message& rest) {
    if (rest.ByteSizeLong() <= limits_.max_merge_bytes) return AddMerge(rest);
    std::vector<const FieldDescriptor*> lists;
    for (const FieldDescriptor* field : FieldsOf(rest)) {
      if (IsMessageList(*field)) lists.push_back(field);
    }
    for (const FieldDescriptor* field : lists) RETURN_IF_ERROR(AddList(*field, rest));
    const uint64_t size = rest.ByteSizeLong();
    if (size <= limits_.max_merge_bytes) return AddMerge(rest);
    return TooLarge(LargestField(rest), size);
  }

  // Moves the elements of one list out of `rest`.
  absl::Status AddList(const FieldDescriptor& field, Message& rest) {
    const Reflection& reflection = *rest.GetReflection();
    std::vector<std::unique_ptr<Message>> elements(
        static_cast<size_t>(reflection.FieldSize(rest, &field)));
    for (size_t i = elements.size(); i-- > 0;) {
      elements[i].reset(reflection.ReleaseLast(&rest, &field));
    }
    std::unique_ptr<Message> part(rest.New());
    uint64_t part_size = 0;
    for (size_t i = 0; i < elements.size(); ++i) {
      const uint64_t size = elements[i]->ByteSizeLong() + kFieldOverhead;
      if (size > limits_.max_merge_bytes) {
        return TooLarge(absl::StrCat(field.name(), "[", i, "]"), size);
      }
      if (part_size > 0 && size > limits_.max_merge_bytes - part_size) {
        RETURN_IF_ERROR(AddMerge(*part));
        part->Clear();
        part_size = 0;
      }
      part_size += size;
      reflection.AddAllocatedMessage(part.get(), &field, elements[i].release());
    }
    return AddMerge(*part);
  }

  absl::Status TooLarge(const std::string& what, uint64_t size) const {
    return absl::InvalidArgumentError(
        absl::StrCat(what, ": has ", size, " bytes; a record of the file holds at most ",
                     limits_.max_merge_bytes));
  }

  static std::string LargestField(const Message& message) {
    const Reflection& reflection = *message.GetReflection();
    std::string name = "fields that this build does not know";
    uint64_t largest = reflection.GetUnknownFields(message).SpaceUsedLong();
    for (const FieldDescriptor* field : FieldsOf(message)) {
      if (field->is_repeated() || field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
        continue;
      }
      const uint64_t size = reflection.GetMessage(message, field).ByteSizeLong();
      if (size <= largest) continue;
      largest = size;
      name = field->name();
    }
    return name;
  }

  const SplitLimits limits_;
  wire::SplitProtoManifest manifest_;
  std::vector<std::string> records_;  // without the manifest's
};

}  // namespace

absl::StatusOr<std::vector<std::string>> SplitProto(
    std::string_view type, const Message& message, absl::Span<const FieldContent> outside,
    const SplitLimits& limits) {
  Splitter splitter(type, limits);
  for (const FieldContent& field : outside) splitter.AddOverride(field);
  RETURN_IF_ERROR(splitter.Add(message));
  return std::move(splitter).Finish();
}

absl::StatusOr<std::string> SerializeInOrder(const Message& message) {
  const uint64_t size = message.ByteSizeLong();
  if (size > INT_MAX) {
    return absl::InvalidArgumentError(
        absl::StrCat("a ", message.GetDescriptor()->name(), " of ", size,
                     " bytes: protobuf writes at most ", INT_MAX, " bytes at once"));
  }
  std::string bytes;
  bytes.reserve(size);
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream out(&stream);
    out.SetSerializationDeterministic(true);
    message.SerializeWithCachedSizes(&out);
  }
  return bytes;
}

}  // namespace thunky
