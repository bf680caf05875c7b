// How one run is stopped, and where it prints.
#ifndef THUNKY_API_RUN_CONTROL_H_
#define THUNKY_API_RUN_CONTROL_H_

#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "thunky/api/loaded_executable.h"
#include "thunky/base/cancellation.h"
#include "thunky/hal/device.h"

namespace thunky::api {

// InvalidArgument for options that no run can have.
absl::Status CheckRunOptions(const RunOptions& options);

// Lives from the moment that a run begins until it is over. `options` outlives it.
class RunControl {
 public:
  explicit RunControl(const RunOptions& options);
  RunControl(const RunControl&) = delete;
  RunControl& operator=(const RunControl&) = delete;

  // For the device; points into this.
  const hal::RunOptions& hal_options() const { return hal_options_; }
  // From any thread.
  void Cancel() { token_.Cancel(); }
  // What the print function threw, or null. Not while the run goes on.
  const std::exception_ptr& thrown() const { return thrown_; }

 private:
  void Print(std::string_view text);

  const RunOptions& options_;
  CancellationToken token_;
  hal::RunOptions hal_options_;
  std::mutex print_mutex_;  // kernels on different streams print at the same time
  std::exception_ptr thrown_;
};

}  // namespace thunky::api

#endif  // THUNKY_API_RUN_CONTROL_H_
