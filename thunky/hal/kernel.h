// Kernels: code in, something that can be launched out.
#ifndef THUNKY_HAL_KERNEL_H_
#define THUNKY_HAL_KERNEL_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/base/cancellation.h"
#include "thunky/hal/memory.h"

namespace thunky::hal {

struct Dim3 {
  uint64_t x = 1;
  uint64_t y = 1;
  uint64_t z = 1;
  uint64_t count() const { return x * y * z; }
};

// Machine code for the GPUs of one architecture.
struct Cubin {
  std::string architecture;  // "sm_90a"; empty when only the code itself says
  std::shared_ptr<const std::string> code;  // not null
};

// Code of one kernel. PTX and cubins may both be there; a loader takes what it
// understands. The code is shared: many kernels live in one module.
struct KernelSource {
  std::string entry;
  std::shared_ptr<const std::string> ptx;  // null when there is none
  std::vector<Cubin> cubins;
  std::string origin;  // where the code came from, for messages: a file name
};

// One parameter of a kernel, as its code declares it.
struct KernelParameter {
  uint64_t size = 0;       // bytes
  uint64_t alignment = 1;  // bytes
};

// What the code says of itself.
struct KernelInfo {
  std::string entry;
  std::vector<KernelParameter> parameters;
  uint64_t static_shared_bytes = 0;
  std::optional<std::array<uint32_t, 3>> required_block;  // .reqntid
  std::optional<std::array<uint32_t, 3>> maximum_block;   // .maxntid
};

// What checks a launch makes beyond those that are always made (an access
// outside the memory map is always an error where the engine can see it).
struct CheckOptions {
  bool races = false;          // shared memory, between barriers
  bool uninitialized = false;  // shared memory read before written
  bool barrier_divergence = false;
};

struct LaunchParams {
  Dim3 grid;
  Dim3 block;
  uint64_t dynamic_shared_bytes = 0;
  // One entry per kernel parameter, sizes as KernelInfo::parameters says.
  std::vector<std::vector<uint8_t>> arguments;
  const MemoryMap* memory = nullptr;  // outlives the launch
  CheckOptions checks;
  const CancellationToken* cancellation = nullptr;  // may be null
  // Warp instructions a launch may execute; 0: no limit.
  uint64_t step_budget = 0;
  // Takes device printf output. Null: standard output.
  std::function<void(std::string_view)> print;
};

// A loaded kernel. Thread-safe: one kernel may run in several threads.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const KernelInfo& info() const = 0;
};

// A kernel that runs on the calling thread, on the host's memory.
class HostKernel : public Kernel {
 public:
  // Blocks until every block has run. Errors name block, thread and PTX line
  // ("kernel 'k', block (1,0,0), thread (3,0,0), line 12: ..."): OutOfRange for
  // an access outside the memory map, Aborted for `trap` and failed asserts,
  // FailedPrecondition for a check of CheckOptions and for barriers that cannot
  // be passed, ResourceExhausted for the step budget, and the cancellation
  // token's own error.
  virtual absl::Status Launch(const LaunchParams& params) const = 0;
};

// Makes host kernels from code; implemented by the interpreter and the
// compiler. Thread-safe.
class KernelLoader {
 public:
  virtual ~KernelLoader() = default;
  // "interp", "jit"
  virtual std::string_view name() const = 0;
  // Errors say which entry of which origin, and what is missing: no PTX, no
  // such entry, an instruction that is not supported (with line and spelling).
  virtual absl::StatusOr<std::shared_ptr<const HostKernel>> Load(
      const KernelSource& source) = 0;
};

// What a device can launch. Host and CUDA share the numbers of spec: block up
// to 1024 threads, z up to 64, grid.x < 2^31, grid.y and .z < 65536.
struct LaunchLimits {
  uint64_t max_threads_per_block = 1024;
  Dim3 max_block = {1024, 1024, 64};
  Dim3 max_grid = {2147483647, 65535, 65535};
  uint64_t max_shared_bytes = 227 * 1024;
};

// InvalidArgument naming the dimension, its value and the limit. Zero dims are
// an error in `block`; a grid with a zero is legal and launches nothing.
absl::Status CheckLaunch(const LaunchLimits& limits, const Dim3& grid, const Dim3& block,
                         uint64_t shared_bytes);

// InvalidArgument when `info` cannot be launched so: number and sizes of the
// parameters, .reqntid, .maxntid, static plus dynamic shared memory.
absl::Status CheckKernelLaunch(const LaunchLimits& limits, const KernelInfo& info,
                               const Dim3& grid, const Dim3& block,
                               uint64_t dynamic_shared_bytes,
                               absl::Span<const uint64_t> argument_sizes);

}  // namespace thunky::hal

#endif  // THUNKY_HAL_KERNEL_H_
