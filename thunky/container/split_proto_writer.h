// Cuts a message into the records of a split proto (split_proto.h reads them).
#ifndef THUNKY_CONTAINER_SPLIT_PROTO_WRITER_H_
#define THUNKY_CONTAINER_SPLIT_PROTO_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "google/protobuf/message.h"

namespace thunky {

struct SplitLimits {
  // A merge record has at most this many bytes. Protobuf's own limit is 2^31 - 1.
  uint64_t max_merge_bytes = uint64_t{1} << 30;
  // A string or bytes field of the message itself that is larger becomes a field
  // override record. jaxlib reads no overrides of fields further inside.
  uint64_t max_inline_bytes = uint64_t{64} << 20;
};

// The content of a string or bytes field of the message itself, kept outside of it.
struct FieldContent {
  int number = 0;
  std::string_view content;
};

// The records, the manifest first: overrides, then merge records. `type` is the name
// that the manifest gives the whole. Equal messages give equal records.
// InvalidArgument, naming the field, when one field or element of the message is too
// large for a merge record.
absl::StatusOr<std::vector<std::string>> SplitProto(
    std::string_view type, const google::protobuf::Message& message,
    absl::Span<const FieldContent> outside = {}, const SplitLimits& limits = {});

// The message in wire form; maps are in the order of their keys. InvalidArgument when
// it has 2 GiB or more.
absl::StatusOr<std::string> SerializeInOrder(const google::protobuf::Message& message);

}  // namespace thunky

#endif  // THUNKY_CONTAINER_SPLIT_PROTO_WRITER_H_
