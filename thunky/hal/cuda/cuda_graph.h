// Plans as CUDA graphs.
#ifndef THUNKY_HAL_CUDA_CUDA_GRAPH_H_
#define THUNKY_HAL_CUDA_CUDA_GRAPH_H_

#include <memory>

#include "absl/status/statusor.h"
#include "thunky/hal/cuda/context.h"
#include "thunky/hal/cuda/cuda_kernel.h"
#include "thunky/hal/cuda/stream_recorder.h"
#include "thunky/hal/device.h"
#include "thunky/hal/graph_plan.h"

namespace thunky::hal::cuda {

// Kernels of graph_setters.h on one GPU.
struct GraphSetters {
  std::shared_ptr<const CudaKernel> loop;
  std::shared_ptr<const CudaKernel> branch_bool;
  std::shared_ptr<const CudaKernel> branch_i32;
  // Whether they wait by themselves for the kernels in front of them.
  bool programmatic = false;

  // `major` is that of the GPU's compute capability.
  static absl::StatusOr<GraphSetters> Load(KernelCache& kernels, int major);
};

// The graph of a plan, instantiated. `pool` and `setters` outlive it.
absl::StatusOr<std::unique_ptr<GraphInstance>> MakeCudaGraph(
    std::shared_ptr<Context> context, RunResourcePool& pool, const GraphSetters& setters,
    const GraphPlan& plan);

}  // namespace thunky::hal::cuda

#endif  // THUNKY_HAL_CUDA_CUDA_GRAPH_H_
