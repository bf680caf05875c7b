// A kernel that does a collective's work itself, over memory of all devices.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/launch.h"
#include "thunky/schema/kinds/replica_groups.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

void Accesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  AddCollectiveBuffers(thunk.collective_kernel_thunk().buffers(), accesses);
}

absl::Status Verify(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::CollectiveKernelThunkProto& kernel = thunk.collective_kernel_thunk();
  RETURN_IF_ERROR(CheckCollective(kernel.collective_config(), kernel.buffers()));
  if (kernel.has_launch_dimensions()) {
    const wire::LaunchDimensionsProto& launch = kernel.launch_dimensions();
    RETURN_IF_ERROR(CheckGrid(launch.block_counts().coordinates()));
    RETURN_IF_ERROR(CheckBlock(launch.thread_counts_per_block().coordinates()));
  }
  RETURN_IF_ERROR(CheckSharedMemory(kernel.shmem_bytes()));
  return CheckOwnAccesses(ThunkKind::kCollectiveKernel, thunk, context);
}

constexpr KindRules kRules[] = {
    {ThunkKind::kCollectiveKernel, Verify, Accesses, nullptr},
};

}  // namespace

absl::Span<const KindRules> CollectiveKernelRules() { return kRules; }

}  // namespace thunky::schema::kinds
