// NVIDIA GPUs as devices.
#ifndef THUNKY_HAL_CUDA_CUDA_DEVICE_H_
#define THUNKY_HAL_CUDA_CUDA_DEVICE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "thunky/hal/device.h"

namespace thunky::hal {

// How many there are. Unimplemented in a build without this layer; NotFound without a
// driver; FailedPrecondition for a driver that does not start, saying why.
absl::StatusOr<int> CountCudaDevices();

// GPU number `index`, from 0. FailedPrecondition where there is no such GPU; else errors
// as above.
absl::StatusOr<std::unique_ptr<Device>> MakeCudaDevice(int index);

}  // namespace thunky::hal

#endif  // THUNKY_HAL_CUDA_CUDA_DEVICE_H_
