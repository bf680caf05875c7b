// One stop signal for everything that a run does: a deadline, or somebody who
// gave up. Long loops poll it.
#ifndef THUNKY_BASE_CANCELLATION_H_
#define THUNKY_BASE_CANCELLATION_H_

#include <atomic>
#include <chrono>
#include <optional>

#include "absl/status/status.h"

namespace thunky {

// Thread-safe. Not copyable: the parties share a pointer.
class CancellationToken {
 public:
  using Clock = std::chrono::steady_clock;

  CancellationToken() = default;
  explicit CancellationToken(std::optional<Clock::time_point> deadline)
      : deadline_(deadline) {}
  CancellationToken(const CancellationToken&) = delete;
  CancellationToken& operator=(const CancellationToken&) = delete;

  // Asks everybody to stop. Idempotent; may be called from a signal handler.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  // Ok, Cancelled after Cancel(), DeadlineExceeded past the deadline. Costs a
  // clock read when there is a deadline: poll every few thousand steps.
  absl::Status Check() const;

 private:
  std::atomic<bool> cancelled_{false};
  std::optional<Clock::time_point> deadline_;
};

}  // namespace thunky

#endif  // THUNKY_BASE_CANCELLATION_H_
