// A run that was enqueued, as futures and the queue share it.
#ifndef THUNKY_API_FUTURE_STATE_H_
#define THUNKY_API_FUTURE_STATE_H_

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>

#include "absl/status/status.h"
#include "thunky/api/error.h"
#include "thunky/api/run_control.h"

namespace thunky::api {

// Thread-safe. The queue calls Begin, then End; or End alone for what never began.
class FutureState {
 public:
  // `where` is the call that enqueued the run.
  explicit FutureState(SourceLocation where) : where_(std::move(where)) {}

  // False when the run was cancelled already. `control` lives until End.
  bool Begin(RunControl* control);
  // `thrown` may be null; if it is not, it is what get throws.
  void End(const absl::Status& status, const std::exception_ptr& thrown);

  void Cancel();
  bool WaitFor(std::chrono::nanoseconds time);
  void Wait();
  bool ready();
  // Waits; throws what the run ended with.
  void Get();

 private:
  const SourceLocation where_;
  std::mutex mutex_;
  std::condition_variable ended_;
  RunControl* control_ = nullptr;  // between Begin and End
  bool cancelled_ = false;
  bool over_ = false;
  absl::Status status_;
  std::exception_ptr thrown_;
};

}  // namespace thunky::api

#endif  // THUNKY_API_FUTURE_STATE_H_
