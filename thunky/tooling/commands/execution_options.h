// Options that every command has which executes kernels: where, within what
// limits, and what becomes of the results.
#ifndef THUNKY_TOOLING_COMMANDS_EXECUTION_OPTIONS_H_
#define THUNKY_TOOLING_COMMANDS_EXECUTION_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "thunky/base/cancellation.h"
#include "thunky/hal/device.h"
#include "thunky/tooling/compare.h"
#include "thunky/tooling/console.h"

namespace thunky::tooling {

struct ExecutionOptions {
  std::string device = "host";
  std::string kernel_engine = "interp";
  bool checked = false;
  double timeout_s = 0;    // 0: none
  uint64_t max_steps = 0;  // 0: no limit
  std::string output;
  std::string check;
  double rtol = 1e-5;
  double atol = -1;  // negative: not given
  bool json = false;
};

void AddExecutionOptions(CLI::App& command, ExecutionOptions& options);

// What the parser lets through but nobody can mean: infinite times, NaN.
absl::Status CheckExecutionOptions(const ExecutionOptions& options);

Tolerance ToleranceOf(const ExecutionOptions& options);

// The deadline of runs that begin now.
std::optional<CancellationToken::Clock::time_point> DeadlineOf(
    const ExecutionOptions& options);

// What kernels print goes to the results, or to the errors where those are JSON.
// `console` and `token` outlive the run.
hal::RunOptions RunOptionsOf(const ExecutionOptions& options,
                             const CancellationToken& token, Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_EXECUTION_OPTIONS_H_
