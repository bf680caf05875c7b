// Fills: memzero and memset32.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

void MemzeroAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  accesses->push_back({SliceOf(thunk.memzero_thunk().dest_buffer()),
                       AccessMode::kWriteAll, "dest_buffer"});
}

absl::Status VerifyMemzero(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::MemzeroThunkProto& memzero = thunk.memzero_thunk();
  RETURN_IF_ERROR(CheckPresent(memzero.has_dest_buffer(), "dest_buffer"));
  RETURN_IF_ERROR(CheckShaped(memzero.dest_buffer(), "dest_buffer"));
  return CheckOwnAccesses(ThunkKind::kMemzero, thunk, context);
}

void MemsetAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  accesses->push_back({SliceOf(thunk.memset32bit_value_thunk().dest_buffer()),
                       AccessMode::kWriteAll, "dest_buffer"});
}

absl::Status VerifyMemset(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::Memset32BitValueThunkProto& memset = thunk.memset32bit_value_thunk();
  RETURN_IF_ERROR(CheckPresent(memset.has_dest_buffer(), "dest_buffer"));
  RETURN_IF_ERROR(CheckOwnAccesses(ThunkKind::kMemset32, thunk, context));
  const Slice slice = SliceOf(memset.dest_buffer());
  if (slice.offset % 4 == 0 && slice.size % 4 == 0) return absl::OkStatus();
  return Invalid("dest_buffer has offset ", slice.offset, " and size ", slice.size,
                 "; both must be multiples of 4");
}

constexpr KindRules kRules[] = {
    {ThunkKind::kMemzero, VerifyMemzero, MemzeroAccesses, nullptr},
    {ThunkKind::kMemset32, VerifyMemset, MemsetAccesses, nullptr},
};

}  // namespace

absl::Span<const KindRules> FillRules() { return kRules; }

}  // namespace thunky::schema::kinds
