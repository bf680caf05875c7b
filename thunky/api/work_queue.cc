#include "thunky/api/work_queue.h"

#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace thunky::api {

absl::Status WorkQueue::Push(std::shared_ptr<Job> job) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (finished_) {
    return absl::FailedPreconditionError(
        "nothing can be enqueued any more: the process is ending");
  }
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { Work(); });
    } catch (const std::system_error& error) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the queue's thread cannot be started: ", error.what()));
    }
  }
  jobs_.push_back(std::move(job));
  ++pushed_;
  changed_.notify_all();
  return absl::OkStatus();
}

void WorkQueue::Wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  const uint64_t wanted = pushed_;
  changed_.wait(lock, [&] { return done_ >= wanted || finished_; });
}

void WorkQueue::Finish() {
  std::deque<std::shared_ptr<Job>> dropped;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    finished_ = true;
    dropped.swap(jobs_);
    if (current_ != nullptr) current_->Cancel();
    changed_.notify_all();
  }
  for (const std::shared_ptr<Job>& job : dropped) job->Drop();
  if (thread_.joinable()) thread_.join();
}

void WorkQueue::Work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return finished_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    std::shared_ptr<Job> job = std::move(jobs_.front());
    jobs_.pop_front();
    current_ = job.get();
    lock.unlock();
    job->Run();
    lock.lock();
    current_ = nullptr;
    lock.unlock();
    // Lets go of arrays, before anybody hears that it is done.
    job = nullptr;
    lock.lock();
    ++done_;
    changed_.notify_all();
  }
}

}  // namespace thunky::api
