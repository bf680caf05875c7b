#include "thunky/schema/kinds/slices.h"

#include <algorithm>
#include <utility>

#include "thunky/base/status_macros.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::schema::kinds {
namespace {

absl::Status OverlapError(const Access& a, const Access& b) {
  return Invalid(
      a.role, " (", ToString(a.slice), ", ", AccessModeName(a.mode), ") and ", b.role,
      " (", ToString(b.slice), ", ", AccessModeName(b.mode),
      ") overlap in part; buffers of one thunk must be equal or apart when one "
      "is written");
}

// Sorted by where they start, an access can only overlap those that start before
// the furthest end seen so far; equal ranges collapse, so the scan is short.
absl::Status CheckOverlaps(const std::vector<Access>& accesses) {
  std::vector<const Access*> sorted;
  for (const Access& access : accesses) {
    if (access.slice.size > 0) sorted.push_back(&access);
  }
  std::sort(sorted.begin(), sorted.end(), [](const Access* a, const Access* b) {
    const Slice& x = a->slice;
    const Slice& y = b->slice;
    if (x.allocation != y.allocation) return x.allocation < y.allocation;
    if (x.offset != y.offset) return x.offset < y.offset;
    if (x.size != y.size) return x.size < y.size;
    return Writes(a->mode) > Writes(b->mode);
  });
  // The widest range so far, and the widest written one: any overlap in part that
  // matters is one with either of these.
  const Access* widest = nullptr;
  const Access* widest_written = nullptr;
  for (const Access* access : sorted) {
    const Access* other = Writes(access->mode) ? widest : widest_written;
    if (other != nullptr && Overlap(other->slice, access->slice) &&
        other->slice != access->slice) {
      return OverlapError(*other, *access);
    }
    const auto reaches_further = [&](const Access* than) {
      return than == nullptr || than->slice.allocation != access->slice.allocation ||
             access->slice.offset + access->slice.size >
                 than->slice.offset + than->slice.size;
    };
    if (reaches_further(widest)) widest = access;
    if (Writes(access->mode) && reaches_further(widest_written)) widest_written = access;
  }
  return absl::OkStatus();
}

}  // namespace

std::string Indexed(absl::string_view field, int index) {
  return absl::StrCat(field, "[", index, "]");
}

absl::Status CheckInAllocation(const std::vector<Access>& accesses,
                               const VerifyContext& context) {
  if (accesses.size() > kMaxThunkBuffers) {
    return Invalid("has more than ", kMaxThunkBuffers, " buffers");
  }
  for (const Access& access : accesses) {
    absl::Status status = context.allocations.Check(access.slice);
    if (!status.ok()) return Invalid(access.role, " ", status.message());
  }
  return absl::OkStatus();
}

absl::Status CheckAccesses(const std::vector<Access>& accesses,
                           const VerifyContext& context) {
  RETURN_IF_ERROR(CheckInAllocation(accesses, context));
  return CheckOverlaps(accesses);
}

absl::Status CheckOwnAccesses(ThunkKind kind, const wire::ThunkProto& thunk,
                              const VerifyContext& context) {
  return CheckAccesses(AccessesOf(kind, thunk), context);
}

absl::Status CheckPresent(bool present, absl::string_view field) {
  if (present) return absl::OkStatus();
  return Invalid(field, " is missing");
}

absl::Status CheckShaped(const wire::ShapedSliceProto& shaped, absl::string_view role) {
  if (!shaped.has_slice()) return Invalid(role, " has no slice");
  const wire::PrimitiveType element = shaped.shape().element_type();
  if (!shaped.has_shape() || !ElementBits(element).ok()) return absl::OkStatus();
  const absl::StatusOr<TensorType> type = TensorTypeOf(shaped.shape());
  if (!type.ok()) return Invalid(role, " has a bad shape: ", type.status().message());
  if (ByteSize(*type) > shaped.slice().size()) {
    return Invalid(role, " has ", shaped.slice().size(), " bytes; its shape ",
                   type->ToString(), " takes ", ByteSize(*type));
  }
  return absl::OkStatus();
}

void AddOutput(const Slice& slice, std::string role, std::vector<Access>* accesses) {
  const bool in_place =
      std::any_of(accesses->begin(), accesses->end(), [&](const Access& access) {
        return access.mode == AccessMode::kRead && access.slice == slice;
      });
  accesses->push_back({slice, in_place ? AccessMode::kReadWrite : AccessMode::kWriteAll,
                       std::move(role)});
}

}  // namespace thunky::schema::kinds
