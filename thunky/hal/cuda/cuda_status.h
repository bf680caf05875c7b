// Errors of the CUDA driver as statuses; converted here and nowhere else.
#ifndef THUNKY_HAL_CUDA_CUDA_STATUS_H_
#define THUNKY_HAL_CUDA_CUDA_STATUS_H_

#include <string_view>

#include "absl/status/status.h"
#include "thunky/hal/cuda/driver_api.h"

namespace thunky::hal::cuda {

// Ok for CUDA_SUCCESS. `what` is what was tried: "cuda:0: allocating 64 bytes".
//
// ResourceExhausted: memory. InvalidArgument: what the driver refuses. Unimplemented:
// code for another GPU or of a newer PTX. OutOfRange and Aborted: a kernel left its
// memory or trapped; with those the device is lost to this process, as the text says.
absl::Status CudaStatus(const DriverApi& api, CUresult result, std::string_view what);

// Whether the driver refuses all further work in the context after this.
bool IsSticky(CUresult result);

}  // namespace thunky::hal::cuda

#endif  // THUNKY_HAL_CUDA_CUDA_STATUS_H_
