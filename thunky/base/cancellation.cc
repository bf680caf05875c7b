#include "thunky/base/cancellation.h"

namespace thunky {

absl::Status CancellationToken::Check() const {
  if (cancelled_.load(std::memory_order_relaxed)) {
    return absl::CancelledError("the run was cancelled");
  }
  if (deadline_.has_value() && Clock::now() >= *deadline_) {
    return absl::DeadlineExceededError("the time limit of the run has passed");
  }
  return absl::OkStatus();
}

}  // namespace thunky
