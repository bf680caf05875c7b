// What a build without CUDA's header has in place of GPUs.
#include "thunky/hal/cuda/cuda_device.h"

namespace thunky::hal {
namespace {

absl::Status NotBuilt() {
  return absl::UnimplementedError(
      "this build has no CUDA device layer: there was no cuda.h when it was made");
}

}  // namespace

absl::StatusOr<int> CountCudaDevices() { return NotBuilt(); }

absl::StatusOr<std::unique_ptr<Device>> MakeCudaDevice(int) { return NotBuilt(); }

}  // namespace thunky::hal
