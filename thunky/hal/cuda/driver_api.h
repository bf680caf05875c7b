// The CUDA driver's functions, found when they are first asked for: a program with this
// layer starts on machines without a driver.
#ifndef THUNKY_HAL_CUDA_DRIVER_API_H_
#define THUNKY_HAL_CUDA_DRIVER_API_H_

#include <cuda.h>

#include "absl/status/statusor.h"

namespace thunky::hal::cuda {

// Every function of the driver that this layer calls. The names of the header stand for
// the newest version of each (cuMemAlloc is cuMemAlloc_v2), and so do the symbols.
#define THUNKY_CUDA_FUNCTIONS(F)    \
  F(cuCtxSetCurrent)                \
  F(cuDeviceGet)                    \
  F(cuDeviceGetAttribute)           \
  F(cuDeviceGetCount)               \
  F(cuDeviceGetName)                \
  F(cuDevicePrimaryCtxRelease)      \
  F(cuDevicePrimaryCtxRetain)       \
  F(cuDriverGetVersion)             \
  F(cuEventCreate)                  \
  F(cuEventDestroy)                 \
  F(cuEventRecord)                  \
  F(cuFuncGetAttribute)             \
  F(cuFuncGetParamInfo)             \
  F(cuFuncSetAttribute)             \
  F(cuGetErrorName)                 \
  F(cuGetErrorString)               \
  F(cuGraphAddMemcpyNode)           \
  F(cuGraphAddMemsetNode)           \
  F(cuGraphAddNode)                 \
  F(cuGraphConditionalHandleCreate) \
  F(cuGraphCreate)                  \
  F(cuGraphDestroy)                 \
  F(cuGraphExecDestroy)             \
  F(cuGraphExecKernelNodeSetParams) \
  F(cuGraphExecMemcpyNodeSetParams) \
  F(cuGraphExecMemsetNodeSetParams) \
  F(cuGraphInstantiate)             \
  F(cuGraphLaunch)                  \
  F(cuInit)                         \
  F(cuLaunchKernelEx)               \
  F(cuMemAlloc)                     \
  F(cuMemFree)                      \
  F(cuMemFreeHost)                  \
  F(cuMemGetInfo)                   \
  F(cuMemHostAlloc)                 \
  F(cuMemcpyDtoDAsync)              \
  F(cuMemcpyDtoHAsync)              \
  F(cuMemcpyHtoDAsync)              \
  F(cuMemsetD32Async)               \
  F(cuMemsetD8Async)                \
  F(cuModuleGetFunction)            \
  F(cuModuleLoadDataEx)             \
  F(cuModuleUnload)                 \
  F(cuStreamCreate)                 \
  F(cuStreamDestroy)                \
  F(cuStreamQuery)                  \
  F(cuStreamSynchronize)            \
  F(cuStreamWaitEvent)

struct DriverApi {
// NOLINTNEXTLINE(bugprone-macro-parentheses): the name of a member.
#define THUNKY_CUDA_MEMBER(name) decltype(&::name) name = nullptr;
  THUNKY_CUDA_FUNCTIONS(THUNKY_CUDA_MEMBER)
#undef THUNKY_CUDA_MEMBER

  // The functions of libcuda.so.1, initialised; loaded once a process, and never given
  // back. NotFound without a driver; FailedPrecondition for one that lacks a function, or
  // that finds no GPU, saying why.
  static absl::StatusOr<const DriverApi*> Load();
};

}  // namespace thunky::hal::cuda

#endif  // THUNKY_HAL_CUDA_DRIVER_API_H_
