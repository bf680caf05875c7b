// Setting one field of a message by a path of field numbers, indices and map keys.
#ifndef THUNKY_CONTAINER_FIELD_PATH_H_
#define THUNKY_CONTAINER_FIELD_PATH_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/repeated_field.h"
#include "proto/split_proto.pb.h"
#include "thunky/container/proto_scan.h"

namespace thunky {

using FieldPath =
    google::protobuf::RepeatedPtrField<wire::Record::FieldOverrideRecord::FieldPathPart>;

// Sets string and bytes fields of one message. Steps through singular messages create
// them, as setting a field does, and so do steps to map keys; an index must be that of
// an element that is there. Everything new is charged to the scanner's budget.
class FieldSetter {
 public:
  FieldSetter(google::protobuf::Message& message, ProtoScanner& scanner)
      : message_(message), scanner_(scanner) {}

  // InvalidArgument when the path leads nowhere, to a field of another type, or has an
  // index or a key where none belongs or none where one does.
  absl::Status Set(const FieldPath& path, std::string_view content);

 private:
  using Part = wire::Record::FieldOverrideRecord::FieldPathPart;

  // One step from `at`, of which `part` names a field.
  absl::Status Enter(const Part& part, google::protobuf::Message*& at);
  absl::Status Assign(const Part& part, std::string_view content,
                      google::protobuf::Message& at);
  absl::StatusOr<google::protobuf::Message*> MapEntry(
      const Part& part, const google::protobuf::FieldDescriptor& field,
      google::protobuf::Message& at);

  google::protobuf::Message& message_;
  ProtoScanner& scanner_;
  // Spent on finding map keys. Finding one is linear, so the sum is limited.
  uint64_t key_steps_ = 0;
};

}  // namespace thunky

#endif  // THUNKY_CONTAINER_FIELD_PATH_H_
