// A machine that can run programs.
#ifndef THUNKY_HAL_DEVICE_H_
#define THUNKY_HAL_DEVICE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/base/cancellation.h"
#include "thunky/hal/graph_plan.h"
#include "thunky/hal/kernel.h"
#include "thunky/hal/memory.h"
#include "thunky/hal/recorder.h"

namespace thunky::hal {

// Whether a run goes to the device as one graph.
enum class GraphMode : uint8_t {
  kAuto,  // the first run step by step, later ones as a graph where that can be
  kOn,    // as a graph; what cannot be one is an error
  kOff
};

// How one run is to be executed.
struct RunOptions {
  const MemoryMap* memory = nullptr;  // what the run's kernels may touch
  CheckOptions checks;
  // Hold each kernel to the slices it was given, not only to the run's memory.
  bool strict_bounds = false;
  const CancellationToken* cancellation = nullptr;
  uint64_t step_budget = 0;                     // per kernel launch; 0: no limit
  std::function<void(std::string_view)> print;  // device printf; null: stdout
  GraphMode graph = GraphMode::kAuto;
};

struct MemoryInfo {
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
};

// A plan that a device made ready: all of a run in one call. One thread at a time.
class GraphInstance {
 public:
  virtual ~GraphInstance() = default;
  // Starts it and waits for it.
  virtual absl::Status Run(const RunOptions& options) = 0;
  // Lets it do what `plan` says, which has the same nodes in the same order and differs
  // in addresses and the like; gives the number of nodes that were changed.
  // FailedPrecondition for another plan: then it is of no more use.
  virtual absl::StatusOr<int64_t> Update(const GraphPlan& plan) = 0;
};

// Thread-safe, except that a recorder belongs to one thread at a time.
class Device {
 public:
  virtual ~Device() = default;

  // "host", "cuda:0"
  virtual std::string_view name() const = 0;
  // One line for people: "2 threads, x86-64; kernels by interp".
  virtual std::string description() const = 0;
  virtual const LaunchLimits& limits() const = 0;
  // What can be allocated now.
  virtual absl::StatusOr<MemoryInfo> memory_info() const = 0;

  // `size` bytes, uninitialised, at a multiple of 256 bytes. Zero bytes are
  // legal. ResourceExhausted names wanted and free bytes.
  virtual absl::StatusOr<std::unique_ptr<Allocation>> Allocate(uint64_t size) = 0;
  // Blocking copies; sizes equal.
  virtual absl::Status Upload(DeviceSpan dst, absl::Span<const uint8_t> src) = 0;
  virtual absl::Status Download(absl::Span<uint8_t> dst, DeviceSpan src) = 0;

  // Whether kernels run from PTX only: binary code is of no use here.
  virtual bool needs_ptx() const = 0;
  // Everything costly about a kernel happens here.
  virtual absl::StatusOr<std::shared_ptr<const Kernel>> LoadKernel(
      const KernelSource& source) = 0;

  // A recorder for one run. `options` and what it points to outlive it.
  virtual absl::StatusOr<std::unique_ptr<Recorder>> NewRecorder(
      const RunOptions& options) = 0;

  // Whether Instantiate is worth a try: starting a plan is cheaper here than recording.
  virtual bool has_graphs() const { return false; }
  // Makes a plan ready. Everything costly happens here.
  virtual absl::StatusOr<std::unique_ptr<GraphInstance>> Instantiate(
      const GraphPlan& plan) {
    return absl::UnimplementedError("this device has no graphs");
  }
};

}  // namespace thunky::hal

#endif  // THUNKY_HAL_DEVICE_H_
