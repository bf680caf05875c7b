// Replica groups and the buffers of collectives.
#ifndef THUNKY_SCHEMA_KINDS_REPLICA_GROUPS_H_
#define THUNKY_SCHEMA_KINDS_REPLICA_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "proto/collectives.pb.h"
#include "thunky/schema/access.h"
#include "thunky/schema/kinds.h"

namespace thunky::schema::kinds {

using CollectiveBuffers = google::protobuf::RepeatedPtrField<wire::CollectiveBufferProto>;
using SourceTargets = google::protobuf::RepeatedPtrField<wire::SourceTarget>;

// Sources are read, destinations written: all bytes, or read_write in place.
void AddCollectiveBuffers(const CollectiveBuffers& buffers,
                          std::vector<Access>* accesses);

// One element type of whole bytes a buffer; element_count not negative; both slices
// present; ids of the groups not negative and in one group only.
absl::Status CheckCollective(const wire::CollectiveConfigProto& config,
                             const CollectiveBuffers& buffers);

// Members of each group; 0 when the file gives no groups, where the number is known
// at load only. InvalidArgument when groups differ in size.
absl::StatusOr<int64_t> GroupSize(const wire::CollectiveConfigProto& config);

// Ids not negative; no source twice, no target twice.
absl::Status CheckSourceTargets(const SourceTargets& pairs);

// Bytes of the buffer's elements.
absl::StatusOr<int64_t> ElementBytes(const wire::CollectiveConfigProto& config,
                                     const wire::CollectiveBufferProto& buffer,
                                     int index);

}  // namespace thunky::schema::kinds

#endif  // THUNKY_SCHEMA_KINDS_REPLICA_GROUPS_H_
