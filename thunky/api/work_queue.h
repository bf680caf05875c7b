// Work that is done in order, on a thread of its own.
#ifndef THUNKY_API_WORK_QUEUE_H_
#define THUNKY_API_WORK_QUEUE_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "absl/status/status.h"

namespace thunky::api {

// One piece of work. Every job that a queue took is run or dropped, and then destroyed
// on the queue's thread or by Finish.
class Job {
 public:
  virtual ~Job() = default;
  virtual void Run() noexcept = 0;
  // Instead of Run, when the queue ends first.
  virtual void Drop() noexcept = 0;
  // While Run goes on: asks it to come to an end soon.
  virtual void Cancel() noexcept = 0;
};

// Thread-safe. The thread is started by the first job.
class WorkQueue {
 public:
  WorkQueue() = default;
  // Finishes. Not on the queue's own thread.
  ~WorkQueue() { Finish(); }
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // FailedPrecondition after Finish; ResourceExhausted when there can be no thread. The
  // job is then neither run nor dropped.
  absl::Status Push(std::shared_ptr<Job> job);
  // Until the jobs pushed so far are done.
  void Wait();
  // Cancels the job that is being run, drops the others and joins the thread.
  void Finish();

 private:
  void Work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> jobs_;
  Job* current_ = nullptr;  // being run; alive while this is set
  uint64_t pushed_ = 0;     // jobs ever
  uint64_t done_ = 0;
  bool finished_ = false;
  std::thread thread_;
};

}  // namespace thunky::api

#endif  // THUNKY_API_WORK_QUEUE_H_
