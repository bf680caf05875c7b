#include "thunky/api/future.h"

#include "thunky/api/future_state.h"
#include "thunky/api/status.h"

namespace thunky {
namespace api {

bool FutureState::Begin(RunControl* control) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (cancelled_) return false;
  control_ = control;
  return true;
}

void FutureState::End(const absl::Status& status, const std::exception_ptr& thrown) {
  std::lock_guard<std::mutex> lock(mutex_);
  control_ = nullptr;
  status_ = status;
  thrown_ = thrown;
  over_ = true;
  ended_.notify_all();
}

void FutureState::Cancel() {
  std::lock_guard<std::mutex> lock(mutex_);
  cancelled_ = true;
  if (control_ != nullptr) control_->Cancel();
}

bool FutureState::WaitFor(std::chrono::nanoseconds time) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point now = Clock::now();
  if (time > Clock::time_point::max() - now) {
    Wait();
    return true;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  return ended_.wait_until(lock, now + time, [&] { return over_; });
}

void FutureState::Wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  ended_.wait(lock, [&] { return over_; });
}

bool FutureState::ready() {
  std::lock_guard<std::mutex> lock(mutex_);
  return over_;
}

void FutureState::Get() {
  Wait();
  // Nothing changes any more.
  if (thrown_ != nullptr) std::rethrow_exception(thrown_);
  if (!status_.ok()) throw ErrorOf(status_, where_);
}

}  // namespace api

bool Future::ready() const { return state_->ready(); }
void Future::wait() const { state_->Wait(); }
bool Future::wait_for(std::chrono::nanoseconds time) const {
  return state_->WaitFor(time);
}
void Future::get() const { state_->Get(); }
void Future::cancel() const { state_->Cancel(); }

}  // namespace thunky
