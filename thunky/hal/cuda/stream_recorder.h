// The recorder that enqueues: each verb is a call of the driver on a stream.
#ifndef THUNKY_HAL_CUDA_STREAM_RECORDER_H_
#define THUNKY_HAL_CUDA_STREAM_RECORDER_H_

#include <map>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/hal/cuda/context.h"
#include "thunky/hal/device.h"
#include "thunky/hal/recorder.h"

namespace thunky::hal::cuda {

// Streams and memory that one run at a time uses, kept for the next.
class RunResources {
 public:
  // Pinned memory for values that the host has to see: indices of branches, conditions of
  // loops, offsets of slices.
  static constexpr uint64_t kPinnedBytes = 4096;

  static absl::StatusOr<std::unique_ptr<RunResources>> Make(
      std::shared_ptr<Context> context);
  ~RunResources();

  Context& context() { return *context_; }
  CUstream main() const { return main_; }
  void* pinned() const { return pinned_; }
  // The stream of that name, made when it is first asked for.
  absl::StatusOr<CUstream> Side(const StreamId& id);
  const std::map<StreamId, CUstream>& sides() const { return sides_; }

 private:
  explicit RunResources(std::shared_ptr<Context> context)
      : context_(std::move(context)) {}

  std::shared_ptr<Context> context_;
  CUstream main_ = nullptr;
  void* pinned_ = nullptr;
  std::map<StreamId, CUstream> sides_;
};

// Where resources come from and go to. Thread-safe.
class RunResourcePool {
 public:
  explicit RunResourcePool(std::shared_ptr<Context> context)
      : context_(std::move(context)) {}
  absl::StatusOr<std::unique_ptr<RunResources>> Take();
  void Return(std::unique_ptr<RunResources> resources);

 private:
  std::shared_ptr<Context> context_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RunResources>> free_;
};

// A recorder for one run; `options` and the pool outlive it. Branches, loops without a
// trip count and offsets that the device computes make the host wait for the stream.
absl::StatusOr<std::unique_ptr<Recorder>> MakeStreamRecorder(RunResourcePool& pool,
                                                             const RunOptions& options);

// One call that enqueues work on the main stream of a run, and the wait for it.
absl::Status RunOnStream(RunResourcePool& pool, const RunOptions& options,
                         absl::FunctionRef<absl::Status(CUstream)> enqueue);

}  // namespace thunky::hal::cuda

#endif  // THUNKY_HAL_CUDA_STREAM_RECORDER_H_
