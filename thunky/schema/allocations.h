// The buffer allocations that slices refer to.
#ifndef THUNKY_SCHEMA_ALLOCATIONS_H_
#define THUNKY_SCHEMA_ALLOCATIONS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "proto/executable.pb.h"
#include "thunky/schema/access.h"

namespace thunky::schema {

using AllocationList = google::protobuf::RepeatedPtrField<wire::BufferAllocationProto>;

// Allocations by index. Points into the message it was made from, which must
// outlive it.
class AllocationTable {
 public:
  // The indices of `list` must be 0 .. n-1, each once, in any order; sizes must
  // not be negative and their sum must fit int64. Errors begin "allocation i".
  static absl::StatusOr<AllocationTable> Of(const AllocationList& list);

  int64_t count() const { return static_cast<int64_t>(by_index_.size()); }
  int64_t total_size() const { return total_size_; }
  bool Has(int64_t index) const { return index >= 0 && index < count(); }
  // Requires Has(index).
  const wire::BufferAllocationProto& at(int64_t index) const { return *by_index_[index]; }

  // OK when the slice lies in one of the allocations. The error says what was
  // found and what is allowed, without a path.
  absl::Status Check(const Slice& slice) const;

 private:
  std::vector<const wire::BufferAllocationProto*> by_index_;
  int64_t total_size_ = 0;
};

// The executable's allocations: buffer_allocations when it is present, else those
// of buffer_assignment. When both are there and differ in count or in a size, an
// error: nobody could say which one the slices mean.
absl::StatusOr<const AllocationList*> AllocationsOf(
    const wire::GpuExecutableProto& executable);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_ALLOCATIONS_H_
