#include "thunky/tooling/commands/execution_options.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>

#include "absl/strings/str_cat.h"

namespace thunky::tooling {
namespace {

// Three years: far below what the clock can hold.
constexpr double kMaxTimeout = 1e8;

}  // namespace

void AddExecutionOptions(CLI::App& command, ExecutionOptions& options) {
  command.add_option("--device", options.device, "host, cuda or cuda:N")
      ->capture_default_str();
  command
      .add_option("--kernel-engine", options.kernel_engine,
                  "What runs kernels on the host: interp or jit")
      ->capture_default_str();
  command.add_flag("--checked", options.checked,
                   "Report accesses outside a kernel's arguments, races, uninitialised "
                   "shared memory and divergent barriers");
  command.add_option("--timeout", options.timeout_s, "Stop after so many seconds")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--max-steps", options.max_steps,
                  "Warp instructions that one kernel launch may execute")
      ->check(CLI::PositiveNumber);
  command.add_option("--output", options.output,
                     "Write results to this .npz file: out0, out1, ...");
  CLI::Option* check = command.add_option(
      "--check", options.check, "Compare results with out0, out1, ... of this .npz file");
  command.add_option("--rtol", options.rtol, "Relative tolerance of --check")
      ->check(CLI::NonNegativeNumber)
      ->needs(check)
      ->capture_default_str();
  command
      .add_option("--atol", options.atol,
                  "Absolute tolerance of --check (default: rtol times the largest "
                  "magnitude of the reference)")
      ->check(CLI::NonNegativeNumber)
      ->needs(check);
  command.add_flag("--json", options.json, "Print the answer as JSON");
}

absl::Status CheckExecutionOptions(const ExecutionOptions& options) {
  if (!(options.timeout_s <= kMaxTimeout)) {
    return absl::InvalidArgumentError(absl::StrCat("--timeout: expected at most ",
                                                   kMaxTimeout, " seconds, found ",
                                                   options.timeout_s));
  }
  if (!std::isfinite(options.rtol) || !std::isfinite(options.atol)) {
    return absl::InvalidArgumentError(absl::StrCat(
        std::isfinite(options.rtol) ? "--atol" : "--rtol", ": expected a number, found ",
        std::isfinite(options.rtol) ? options.atol : options.rtol));
  }
  return absl::OkStatus();
}

Tolerance ToleranceOf(const ExecutionOptions& options) {
  Tolerance tolerance{options.rtol, {}};
  if (options.atol >= 0) tolerance.atol = options.atol;
  return tolerance;
}

std::optional<CancellationToken::Clock::time_point> DeadlineOf(
    const ExecutionOptions& options) {
  using Clock = CancellationToken::Clock;
  if (options.timeout_s <= 0) return std::nullopt;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(options.timeout_s));
}

hal::RunOptions RunOptionsOf(const ExecutionOptions& options,
                             const CancellationToken& token, Console& console) {
  hal::RunOptions run;
  run.cancellation = &token;
  run.step_budget = options.max_steps;
  run.strict_bounds = options.checked;
  run.checks = {.races = options.checked,
                .uninitialized = options.checked,
                .barrier_divergence = options.checked};
  // Kernels on different streams may print at the same time.
  std::ostream& stream = options.json ? console.err() : console.out();
  run.print = [&stream, mutex = std::make_shared<std::mutex>()](std::string_view text) {
    std::lock_guard<std::mutex> lock(*mutex);
    stream << text;
  };
  return run;
}

}  // namespace thunky::tooling
