#include "thunky/hal/host/stream_workers.h"

#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace thunky::hal {

absl::Status HostForkToken::Wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  finished_cv_.wait(lock, [&] { return finished_; });
  return status_;
}

void HostForkToken::Finish(absl::Status status) {
  // Notified under the lock: the waiter may destroy the token once it is free.
  std::lock_guard<std::mutex> lock(mutex_);
  status_ = std::move(status);
  finished_ = true;
  finished_cv_.notify_all();
}

StreamWorkers::~StreamWorkers() {
  for (auto& [stream, worker] : workers_) {
    {
      std::lock_guard<std::mutex> lock(worker->mutex);
      worker->stop = true;
      worker->changed.notify_all();
    }
    worker->thread.join();
  }
}

absl::StatusOr<std::unique_ptr<HostForkToken>> StreamWorkers::Submit(
    StreamId stream, std::function<absl::Status()> body) {
  std::unique_ptr<Worker>& worker = workers_[stream];
  if (worker == nullptr) {
    if (workers_.size() > kMaxStreams) {
      workers_.erase(stream);
      return absl::ResourceExhaustedError(
          absl::StrCat("host: the program uses more than ", kMaxStreams, " streams"));
    }
    worker = std::make_unique<Worker>();
    try {
      worker->thread = std::thread([w = worker.get()] { Run(*w); });
    } catch (const std::system_error& error) {
      workers_.erase(stream);
      return absl::ResourceExhaustedError(
          absl::StrCat("host: cannot start a thread for a stream: ", error.what()));
    }
  }
  auto token = std::make_unique<HostForkToken>();
  std::lock_guard<std::mutex> lock(worker->mutex);
  worker->queue.push_back(
      [t = token.get(), body = std::move(body)] { t->Finish(body()); });
  worker->changed.notify_all();
  return token;
}

void StreamWorkers::Drain(StreamId stream) {
  auto it = workers_.find(stream);
  if (it == workers_.end()) return;
  Worker& worker = *it->second;
  std::unique_lock<std::mutex> lock(worker.mutex);
  worker.changed.wait(lock, [&] { return worker.queue.empty() && !worker.busy; });
}

void StreamWorkers::Run(Worker& worker) {
  std::unique_lock<std::mutex> lock(worker.mutex);
  while (true) {
    worker.changed.wait(lock, [&] { return worker.stop || !worker.queue.empty(); });
    if (worker.queue.empty()) return;
    std::function<void()> job = std::move(worker.queue.front());
    worker.queue.pop_front();
    worker.busy = true;
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
    worker.busy = false;
    worker.changed.notify_all();
  }
}

}  // namespace thunky::hal
