#include "thunky/schema/kinds/replica_groups.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/slices.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::schema::kinds {
namespace {

// Sorts the pairs, and finds the second of two with equal first parts.
std::vector<std::pair<int64_t, int>>::const_iterator FindTwice(
    std::vector<std::pair<int64_t, int>>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  const auto first =
      std::adjacent_find(pairs.cbegin(), pairs.cend(),
                         [](const auto& a, const auto& b) { return a.first == b.first; });
  return first == pairs.cend() ? first : first + 1;
}

absl::Status CheckGroups(const wire::CollectiveConfigProto& config) {
  if (!wire::CollectiveOpGroupMode_IsValid(config.group_mode())) {
    return Invalid("group_mode is ", static_cast<int>(config.group_mode()),
                   ", which this build does not know");
  }
  std::vector<std::pair<int64_t, int>> ids;  // id and group
  for (int i = 0; i < config.replica_groups_size(); ++i) {
    // One group without members alone means all, like no groups.
    if (config.replica_groups(i).replica_ids().empty() &&
        config.replica_groups_size() > 1) {
      return Invalid("replica_groups[", i, "] has no members");
    }
    for (const int64_t id : config.replica_groups(i).replica_ids()) {
      if (id < 0) return Invalid("replica_groups[", i, "] has id ", id);
      ids.emplace_back(id, i);
    }
  }
  const auto twice = FindTwice(ids);
  if (twice == ids.end()) return absl::OkStatus();
  return Invalid("replica_groups[", twice->second, "] has id ", twice->first,
                 ", which is in a group already");
}

absl::Status CheckBuffer(const wire::CollectiveConfigProto& config,
                         const wire::CollectiveBufferProto& buffer, int index) {
  if (!buffer.source_buffer().has_slice()) return Invalid("has no source_buffer");
  if (!buffer.destination_buffer().has_slice()) {
    return Invalid("has no destination_buffer");
  }
  RETURN_IF_ERROR(CheckShaped(buffer.source_buffer(), "source_buffer"));
  RETURN_IF_ERROR(CheckShaped(buffer.destination_buffer(), "destination_buffer"));
  return ElementBytes(config, buffer, index).status();
}

}  // namespace

void AddCollectiveBuffers(const CollectiveBuffers& buffers,
                          std::vector<Access>* accesses) {
  SliceSet sources;
  for (int i = 0; i < Listed(buffers.size()); ++i) {
    sources.Insert(SliceOf(buffers[i].source_buffer()));
  }
  for (int i = 0; i < Listed(buffers.size()); ++i) {
    const std::string name = Indexed("buffers", i);
    const Slice to = SliceOf(buffers[i].destination_buffer());
    const bool in_place = sources.Has(to);
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
  std::vector<std::pair<int64_t, int>> sources;  // id and position
  std::vector<std::pair<int64_t, int>> targets;
  for (int i = 0; i < pairs.size(); ++i) {
    if (pairs[i].source() < 0 || pairs[i].target() < 0) {
      return Invalid(Indexed("source_target_pairs", i), " is ", pairs[i].source(), " to ",
                     pairs[i].target(), "; ids must not be negative");
    }
    sources.emplace_back(pairs[i].source(), i);
    targets.emplace_back(pairs[i].target(), i);
  }
  const auto source = FindTwice(sources);
  if (source != sources.end()) {
    return Invalid(Indexed("source_target_pairs", source->second), " has source ",
                   source->first, " for the second time");
  }
  const auto target = FindTwice(targets);
  if (target != targets.end()) {
    return Invalid(Indexed("source_target_pairs", target->second), " has target ",
                   target->first, " for the second time");
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
