// The CPU as a device: its memory is the process's memory, its kernels run on
// the calling thread.
#ifndef THUNKY_HAL_HOST_HOST_DEVICE_H_
#define THUNKY_HAL_HOST_HOST_DEVICE_H_

#include <memory>

#include "thunky/hal/device.h"
#include "thunky/hal/kernel.h"

namespace thunky::hal {

// A host device whose kernels come from `loader` (not null).
std::unique_ptr<Device> MakeHostDevice(std::unique_ptr<KernelLoader> loader);

}  // namespace thunky::hal

#endif  // THUNKY_HAL_HOST_HOST_DEVICE_H_
