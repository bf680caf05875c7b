#include "thunky/schema/allocations.h"

#include <limits>

#include "absl/strings/str_cat.h"

namespace thunky::schema {
namespace {

std::string AllowedIndices(int64_t count) {
  if (count == 0) return "there are no allocations";
  return absl::StrCat("allocations are numbered 0 to ", count - 1);
}

}  // namespace

absl::StatusOr<AllocationTable> AllocationTable::Of(const AllocationList& list) {
  AllocationTable table;
  table.by_index_.resize(list.size(), nullptr);
  for (const wire::BufferAllocationProto& allocation : list) {
    const int64_t index = allocation.index();
    const std::string where = absl::StrCat("allocation ", index);
    if (!table.Has(index)) {
      return absl::InvalidArgumentError(absl::StrCat(
          where, ": the index is out of range; ", AllowedIndices(list.size())));
    }
    if (table.by_index_[index] != nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat(where, ": two allocations have this index"));
    }
    if (allocation.size() < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          where, ": the size is ", allocation.size(), "; it must not be negative"));
    }
    if (allocation.size() > std::numeric_limits<int64_t>::max() - table.total_size_) {
      return absl::InvalidArgumentError(
          absl::StrCat(where, ": with its ", allocation.size(),
                       " bytes the allocations come to more than 2^63 - 1 bytes in all"));
    }
    table.total_size_ += allocation.size();
    table.by_index_[index] = &allocation;
  }
  return table;
}

absl::Status AllocationTable::Check(const Slice& slice) const {
  if (!Has(slice.allocation)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "refers to allocation ", slice.allocation, "; ", AllowedIndices(count())));
  }
  if (slice.offset < 0 || slice.size < 0) {
    return absl::InvalidArgumentError(absl::StrCat("has offset ", slice.offset,
                                                   " and size ", slice.size,
                                                   "; neither may be negative"));
  }
  const int64_t available = at(slice.allocation).size();
  if (slice.offset > available || slice.size > available - slice.offset) {
    return absl::InvalidArgumentError(
        absl::StrCat("has offset ", slice.offset, " and size ", slice.size,
                     ", past the end of allocation ", slice.allocation, ", which has ",
                     available, " bytes"));
  }
  return absl::OkStatus();
}

absl::StatusOr<const AllocationList*> AllocationsOf(
    const wire::GpuExecutableProto& executable) {
  const AllocationList& assigned = executable.buffer_assignment().buffer_allocations();
  if (!executable.has_buffer_allocations()) return &assigned;
  const AllocationList& own = executable.buffer_allocations().values();
  if (assigned.empty()) return &own;
  if (own.size() != assigned.size()) {
    return absl::InvalidArgumentError(absl::StrCat("buffer_allocations has ", own.size(),
                                                   " allocations and buffer_assignment ",
                                                   assigned.size(), "; they must agree"));
  }
  for (int i = 0; i < own.size(); ++i) {
    if (own[i].index() == assigned[i].index() && own[i].size() == assigned[i].size()) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "allocation ", own[i].index(), ": buffer_allocations gives it ", own[i].size(),
        " bytes and buffer_assignment has allocation ", assigned[i].index(), " with ",
        assigned[i].size(), " bytes there; they must agree"));
  }
  return &own;
}

}  // namespace thunky::schema
