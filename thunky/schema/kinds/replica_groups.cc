#include "thunky/schema/kinds/replica_groups.h"

#include <set>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/slices.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::schema::kinds {
namespace {

absl::Status CheckGroups(const wire::CollectiveConfigProto& config) {
  if (!wire::CollectiveOpGroupMode_IsValid(config.group_mode())) {
    return Invalid("group_mode is ", static_cast<int>(config.group_mode()),
                   ", which this build does not know");
  }
  std::set<int64_t> seen;
  for (int i = 0; i < config.replica_groups_size(); ++i) {
    for (const int64_t id : config.replica_groups(i).replica_ids()) {
      if (id < 0) return Invalid("replica_groups[", i, "] has id ", id);
      if (!seen.insert(id).second) {
        return Invalid("replica_groups[", i, "] has id ", id,
                       ", which is in a group already");
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckBuffer(const wire::CollectiveConfigProto& config,
                         const wire::CollectiveBufferProto& buffer, int index) {
  if (!buffer.source_buffer().has_slice()) return Invalid("has no source_buffer");
  if (!buffer.destination_buffer().has_slice()) {
    return Invalid("has no destination_buffer");
  }
  RETURN_IF_ERROR(CheckShaped(buffer.source_buffer(), "source_buffer"));
  RETURN_IF_ERROR(CheckShaped(buffer.destination_buffer(), "destination_buffer"));
  ASSIGN_OR_RETURN(const int64_t bytes, ElementBytes(config, buffer, index));
  static_cast<void>(bytes);
  return absl::OkStatus();
}

}  // namespace

void AddCollectiveBuffers(const CollectiveBuffers& buffers,
                          std::vector<Access>* accesses) {
  std::set<std::tuple<int64_t, int64_t, int64_t>> sources;
  for (const wire::CollectiveBufferProto& buffer : buffers) {
    const Slice slice = SliceOf(buffer.source_buffer());
    sources.insert({slice.allocation, slice.offset, slice.size});
  }
  for (int i = 0; i < buffers.size(); ++i) {
    const std::string name = Indexed("buffers", i);
    const Slice to = SliceOf(buffers[i].destination_buffer());
    const bool in_place = sources.count({to.allocation, to.offset, to.size}) != 0;
    accesses->push_back({SliceOf(buffers[i].source_buffer()), AccessMode::kRead,
                         absl::StrCat(name, ".source_buffer")});
    accesses->push_back({to, in_place ? AccessMode::kReadWrite : AccessMode::kWriteAll,
                         absl::StrCat(name, ".destination_buffer")});
  }
}

absl::Status CheckCollective(const wire::CollectiveConfigProto& config,
                             const CollectiveBuffers& buffers) {
  RETURN_IF_ERROR(CheckGroups(config));
  if (buffers.empty()) return Invalid("has no buffers");
  if (config.operand_element_type_size() != buffers.size()) {
    return Invalid("has ", buffers.size(), " buffers and ",
                   config.operand_element_type_size(), " operand element types");
  }
  for (int i = 0; i < buffers.size(); ++i) {
    const absl::Status status = CheckBuffer(config, buffers[i], i);
    if (!status.ok()) return Invalid(Indexed("buffers", i), " ", status.message());
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> GroupSize(const wire::CollectiveConfigProto& config) {
  int64_t size = 0;
  for (const wire::ReplicaGroup& group : config.replica_groups()) {
    if (size == 0) size = group.replica_ids_size();
    if (group.replica_ids_size() != size) {
      return Invalid("has groups of ", size, " and of ", group.replica_ids_size(),
                     " members; they must be of one size");
    }
  }
  return size;
}

absl::Status CheckSourceTargets(const SourceTargets& pairs) {
  std::set<int64_t> sources;
  std::set<int64_t> targets;
  for (int i = 0; i < pairs.size(); ++i) {
    const std::string where = Indexed("source_target_pairs", i);
    if (pairs[i].source() < 0 || pairs[i].target() < 0) {
      return Invalid(where, " is ", pairs[i].source(), " to ", pairs[i].target(),
                     "; ids must not be negative");
    }
    if (!sources.insert(pairs[i].source()).second) {
      return Invalid(where, " has source ", pairs[i].source(), " for the second time");
    }
    if (!targets.insert(pairs[i].target()).second) {
      return Invalid(where, " has target ", pairs[i].target(), " for the second time");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> ElementBytes(const wire::CollectiveConfigProto& config,
                                     const wire::CollectiveBufferProto& buffer,
                                     int index) {
  const wire::PrimitiveType type = config.operand_element_type(index);
  ASSIGN_OR_RETURN(const int bits, ElementBits(type));
  if (bits % 8 != 0) {
    return Invalid("has element type ", ElementTypeName(type),
                   ", which is no whole number of bytes");
  }
  int64_t bytes = 0;
  if (buffer.element_count() < 0 ||
      __builtin_mul_overflow(buffer.element_count(), int64_t{bits / 8}, &bytes)) {
    return Invalid("has element_count ", buffer.element_count());
  }
  return bytes;
}

}  // namespace thunky::schema::kinds
