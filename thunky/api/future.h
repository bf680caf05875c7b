// Runs that were enqueued.
#ifndef THUNKY_API_FUTURE_H_
#define THUNKY_API_FUTURE_H_

#include <chrono>
#include <memory>

#include "thunky/api/visibility.h"

namespace thunky {

namespace api {
class FutureState;
struct Handles;
}  // namespace api

// A handle; copies are the same run. Thread-safe. Giving up all of them does not stop the
// run.
class THUNKY_API Future {
 public:
  // Whether the run is over, well or not.
  bool ready() const;
  // Waits until it is.
  void wait() const;
  // Waits so long at most; whether the run is over.
  bool wait_for(std::chrono::nanoseconds time) const;
  // Waits, then throws the run's Error if it failed, each time; its place is that of the
  // call of enqueue.
  void get() const;
  // Asks the run to stop: one that has not begun never will, one that is being done ends
  // at the next thunk or within a few thousand instructions of a kernel. It then fails
  // with `cancelled`, unless it was over before.
  void cancel() const;

 private:
  friend struct api::Handles;
  explicit Future(std::shared_ptr<api::FutureState> state) : state_(std::move(state)) {}

  std::shared_ptr<api::FutureState> state_;
};

}  // namespace thunky

#endif  // THUNKY_API_FUTURE_H_
