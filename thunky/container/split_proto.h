// Messages that were cut into the records of a file: a manifest, and then one record
// for each of its entries.
#ifndef THUNKY_CONTAINER_SPLIT_PROTO_H_
#define THUNKY_CONTAINER_SPLIT_PROTO_H_

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "google/protobuf/message.h"
#include "proto/split_proto.pb.h"
#include "thunky/container/proto_scan.h"

namespace thunky {

// The manifest in the first record. An error when there is none.
absl::StatusOr<wire::SplitProtoManifest> ReadSplitProtoManifest(
    absl::Span<const std::string_view> records, ProtoScanner& scanner);

// Puts the message together, in the order of the records; `records` includes the
// manifest's. The manifest must name `type` (such as "xla.gpu.GpuExecutableProto") and
// have as many entries as records follow. An entry whose kind this build does not know
// is an error.
absl::Status MergeSplitProto(const wire::SplitProtoManifest& manifest,
                             absl::Span<const std::string_view> records,
                             std::string_view type, ProtoScanner& scanner,
                             google::protobuf::Message& message);

}  // namespace thunky

#endif  // THUNKY_CONTAINER_SPLIT_PROTO_H_
