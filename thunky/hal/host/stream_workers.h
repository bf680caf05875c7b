// Threads behind the host's asynchronous streams: one per stream of a run, each
// running the bodies it is given in order.
#ifndef THUNKY_HAL_HOST_STREAM_WORKERS_H_
#define THUNKY_HAL_HOST_STREAM_WORKERS_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/hal/recorder.h"

namespace thunky::hal {

// A body given to a worker, and its result. Destroying the token waits for the
// body, so that nothing it refers to can go away under it.
class HostForkToken : public ForkToken {
 public:
  HostForkToken() = default;
  ~HostForkToken() override { Wait().IgnoreError(); }
  HostForkToken(const HostForkToken&) = delete;
  HostForkToken& operator=(const HostForkToken&) = delete;

  // Blocks until Finish; returns the body's status.
  absl::Status Wait();
  void Finish(absl::Status status);

 private:
  std::mutex mutex_;
  std::condition_variable finished_cv_;
  bool finished_ = false;
  absl::Status status_;
};

// The workers of one run. Only the thread that executes the run submits work;
// bodies never do (see host_recorder.cc for why that excludes deadlock).
class StreamWorkers {
 public:
  // More streams than this in one run are refused: each costs a thread.
  static constexpr size_t kMaxStreams = 64;

  StreamWorkers() = default;
  ~StreamWorkers();
  StreamWorkers(const StreamWorkers&) = delete;
  StreamWorkers& operator=(const StreamWorkers&) = delete;

  // Queues `body` behind everything submitted to `stream` before.
  // ResourceExhausted past kMaxStreams.
  absl::StatusOr<std::unique_ptr<HostForkToken>> Submit(
      StreamId stream, std::function<absl::Status()> body);

  // Waits until everything submitted to `stream` so far has run.
  void Drain(StreamId stream);

 private:
  struct Worker {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> queue;
    bool busy = false;
    bool stop = false;
    std::thread thread;
  };
  static void Run(Worker& worker);

  std::map<StreamId, std::unique_ptr<Worker>> workers_;
};

}  // namespace thunky::hal

#endif  // THUNKY_HAL_HOST_STREAM_WORKERS_H_
