// A seed for a random generator, written by the runtime.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

void Accesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  accesses->push_back({SliceOf(thunk.rng_seed_thunk().dest_buffer()),
                       AccessMode::kWriteAll, "dest_buffer"});
}

absl::Status Verify(const wire::ThunkProto& thunk, const VerifyContext& context) {
  RETURN_IF_ERROR(CheckPresent(thunk.rng_seed_thunk().has_dest_buffer(), "dest_buffer"));
  return CheckOwnAccesses(ThunkKind::kRngSeed, thunk, context);
}

constexpr KindRules kRules[] = {{ThunkKind::kRngSeed, Verify, Accesses, nullptr}};

}  // namespace

absl::Span<const KindRules> RngSeedRules() { return kRules; }

}  // namespace thunky::schema::kinds
