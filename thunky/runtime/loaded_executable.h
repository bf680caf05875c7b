// A program on a device.
#ifndef THUNKY_RUNTIME_LOADED_EXECUTABLE_H_
#define THUNKY_RUNTIME_LOADED_EXECUTABLE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/hal/device.h"
#include "thunky/runtime/executable.h"
#include "thunky/runtime/execution_context.h"

namespace thunky::runtime {

struct RunRequest {
  // Executable::arguments() in order.
  std::vector<hal::DeviceSpan> arguments;
  // Position of the device among the program's devices.
  uint32_t replica_id = 0;
  uint32_t partition_id = 0;
  // `memory` is filled in by the run.
  hal::RunOptions options;
};

// How runs went to the device.
struct GraphStatistics {
  int64_t graphs_made = 0;     // instantiated
  int64_t graphs_updated = 0;  // given other addresses
  int64_t nodes_updated = 0;   // changed on the way
  int64_t graph_runs = 0;
  int64_t stepwise_runs = 0;
  std::string reason;  // why the program is no graph; empty unless it was tried
};

// Thread-safe: runs from several threads do not wait for each other as long as
// contexts are free.
class LoadedExecutable {
 public:
  // Runs beyond this many at a time wait for one to end.
  static constexpr int kMaxConcurrentRuns = 64;

  // Loads kernels, uploads constants and checks every launch against the device.
  // `device` must outlive the result. Errors name the program and, where there is
  // one, the thunk.
  static absl::StatusOr<std::unique_ptr<LoadedExecutable>> Prepare(
      std::shared_ptr<const Executable> executable, hal::Device& device);

  // Checks the arguments, then runs the program and waits for it. An error of a
  // thunk names program, device, thunk path, location and loop iterations; the
  // executable stays usable. Buffers the program writes have undefined contents
  // after an error.
  absl::Status Run(const RunRequest& request);

  const Executable& executable() const { return *executable_; }
  hal::Device& device() const { return device_; }
  // What became of runs so far.
  GraphStatistics graph_statistics() const;
  // Bytes of scratch memory each concurrent run needs.
  uint64_t scratch_bytes() const { return layout_.arena_size; }

 private:
  LoadedExecutable(std::shared_ptr<const Executable> executable, hal::Device& device)
      : executable_(std::move(executable)),
        device_(device),
        contexts_(kMaxConcurrentRuns) {}

  absl::Status UploadConstants();
  void NameMemory();
  absl::Status RunLeased(const RunRequest& request);
  absl::Status RunIn(ExecutionContext& context, const RunRequest& request);
  // Runs as a graph, where the device has graphs, the request and the number of runs ask
  // for one, and the program can be one; whether it did.
  absl::StatusOr<bool> RunGraph(ExecutionContext& context, const RunRequest& request,
                                const hal::RunOptions& options,
                                absl::FunctionRef<absl::Status(hal::Recorder&)> record);
  // The graph for these arguments, in front of context.graphs. Errors: those of planning
  // and of the device.
  absl::Status PrepareGraph(ExecutionContext& context, std::vector<uint64_t> addresses,
                            absl::FunctionRef<absl::Status(hal::Recorder&)> record);
  absl::Status CopyConstantResults(const RunRequest& request, hal::Recorder& recorder);

  std::shared_ptr<const Executable> executable_;
  hal::Device& device_;
  LoadedKernels kernels_;
  // Indexed like Executable::constants(); null for those in no allocation.
  std::vector<std::unique_ptr<hal::Allocation>> constants_;
  ScratchLayout layout_;
  // What messages call the memory of a run: arguments, temporaries, constants.
  std::vector<std::string> names_;
  ContextPool contexts_;
  mutable std::mutex statistics_mutex_;
  GraphStatistics statistics_;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_LOADED_EXECUTABLE_H_
