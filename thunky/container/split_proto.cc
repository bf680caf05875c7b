#include "thunky/container/split_proto.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/container/field_path.h"

namespace thunky {
namespace {

constexpr size_t kMaxQuoted = 100;

absl::Status MergeRecord(const wire::Record& entry, std::string_view record,
                         ProtoScanner& scanner, FieldSetter& setter,
                         google::protobuf::Message& message) {
  using Override = wire::Record::FieldOverrideRecord;
  switch (entry.record_type_case()) {
    case wire::Record::kProtoMergeRecord:
      return scanner.Merge(record, message);
    case wire::Record::kFieldOverrideRecord:
      if (entry.field_override_record().field_type() != Override::TYPE_STRING) {
        return absl::UnimplementedError(
            absl::StrCat("field override of type ",
                         static_cast<int>(entry.field_override_record().field_type()),
                         ": only strings and bytes (1) are known to this build"));
      }
      return setter.Set(entry.field_override_record().field_path(), record);
    case wire::Record::RECORD_TYPE_NOT_SET:
      break;
  }
  return absl::UnimplementedError(
      "the manifest gives the record a kind that this build does not know");
}

}  // namespace

absl::StatusOr<wire::SplitProtoManifest> ReadSplitProtoManifest(
    absl::Span<const std::string_view> records, ProtoScanner& scanner) {
  if (records.empty()) {
    return absl::InvalidArgumentError("expected a manifest record, found no records");
  }
  wire::SplitProtoManifest manifest;
  if (absl::Status status = scanner.Merge(records[0], manifest); !status.ok()) {
    return Annotate(status, "manifest record");
  }
  return manifest;
}

absl::Status MergeSplitProto(const wire::SplitProtoManifest& manifest,
                             absl::Span<const std::string_view> records,
                             std::string_view type, ProtoScanner& scanner,
                             google::protobuf::Message& message) {
  if (manifest.result_proto_type() != type) {
    return absl::InvalidArgumentError(absl::StrCat(
        "manifest record: expected the message type ", std::string(type), ", found '",
        manifest.result_proto_type().substr(0, kMaxQuoted), "'"));
  }
  const size_t found = records.size() - 1;
  if (static_cast<size_t>(manifest.records_size()) != found) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", manifest.records_size(),
                     " records after the manifest as it says, found ", found));
  }
  FieldSetter setter(message, scanner);
  for (size_t i = 1; i < records.size(); ++i) {
    const absl::Status status = MergeRecord(manifest.records(static_cast<int>(i - 1)),
                                            records[i], scanner, setter, message);
    if (!status.ok()) return Annotate(status, absl::StrCat("record ", i));
  }
  return absl::OkStatus();
}

}  // namespace thunky
