#include "thunky/api/run_control.h"

namespace thunky::api {
namespace {

using Clock = CancellationToken::Clock;

// Nothing when there is no limit, or one that the clock never reaches.
std::optional<Clock::time_point> DeadlineOf(const RunOptions& options) {
  if (!options.timeout.has_value()) return std::nullopt;
  const Clock::time_point now = Clock::now();
  if (*options.timeout > Clock::time_point::max() - now) return std::nullopt;
  return now + std::chrono::duration_cast<Clock::duration>(*options.timeout);
}

}  // namespace

absl::Status CheckRunOptions(const RunOptions& options) {
  if (!options.timeout.has_value() || options.timeout->count() > 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "RunOptions::timeout: expected a time above 0; none means no limit");
}

RunControl::RunControl(const RunOptions& options)
    : options_(options), token_(DeadlineOf(options)) {
  hal_options_.cancellation = &token_;
  hal_options_.step_budget = options.max_steps;
  hal_options_.strict_bounds = options.checked;
  hal_options_.checks = {.races = options.checked,
                         .uninitialized = options.checked,
                         .barrier_divergence = options.checked};
  if (options.print == nullptr) return;
  hal_options_.print = [this](std::string_view text) { Print(text); };
}

// Nothing below this interface expects exceptions: they wait here.
void RunControl::Print(std::string_view text) {
  std::lock_guard<std::mutex> lock(print_mutex_);
  if (thrown_ != nullptr) return;
  try {
    options_.print(text);
  } catch (...) {
    thrown_ = std::current_exception();
    token_.Cancel();
  }
}

}  // namespace thunky::api
