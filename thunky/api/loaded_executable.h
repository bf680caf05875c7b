// Programs on a device.
#ifndef THUNKY_API_LOADED_EXECUTABLE_H_
#define THUNKY_API_LOADED_EXECUTABLE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include "thunky/api/argument.h"
#include "thunky/api/array.h"
#include "thunky/api/device.h"
#include "thunky/api/future.h"
#include "thunky/api/visibility.h"

namespace thunky {

class Executable;
namespace api {
class ExecutableState;
class LoadedState;
}  // namespace api

struct RunOptions {
  // From the moment that the run begins; not limited without.
  std::optional<std::chrono::nanoseconds> timeout;
  // Also report accesses outside a kernel's own arguments, races, uninitialised shared
  // memory and divergent barriers. Slower.
  bool checked = false;
  // Warp instructions that one kernel launch may execute; 0: not limited.
  uint64_t max_steps = 0;
  // Takes what kernels print, from one thread at a time; without it, standard output
  // does. What it throws stops the run and comes out of run, or of Future::get.
  std::function<void(std::string_view)> print;
};

// A handle; copies are the same program on the same device. Thread-safe: any number of
// threads may run one at a time, each with arrays that nobody else writes.
//
// Arguments are those of Executable::arguments(), in that order, and are checked before
// anything runs. Error(invalid_argument), naming the argument: too few or too many;
// another type or shape; an array of another device; host values for an argument that the
// program writes; one array for two arguments, one of which the program writes.
//
// Errors of a run name program, device, thunk, location and loop iteration: kernel_fault,
// failed_precondition for what a checked run found, deadline_exceeded, resource_exhausted
// for memory or max_steps. After one, arrays that the program writes have undefined
// contents, everything else is as before, and further runs are fine.
class THUNKY_API LoadedExecutable {
 public:
  // Runs on the calling thread, and returns when everything is done. Does not wait for
  // what was enqueued.
  void run(std::span<const Argument> arguments, const RunOptions& options = {},
           const std::source_location& where = std::source_location::current()) const;
  void run(std::initializer_list<Argument> arguments, const RunOptions& options = {},
           const std::source_location& where = std::source_location::current()) const {
    run(std::span(arguments.begin(), arguments.size()), options, where);
  }

  // Checks the arguments, and lets the device run the program after everything that was
  // enqueued on it before, in this order and one at a time. Arrays stay alive until then.
  // A run that fails does not stop those behind it. What has not begun when the process
  // ends is given up.
  Future enqueue(
      std::span<const Argument> arguments, const RunOptions& options = {},
      const std::source_location& where = std::source_location::current()) const;
  Future enqueue(
      std::initializer_list<Argument> arguments, const RunOptions& options = {},
      const std::source_location& where = std::source_location::current()) const {
    return enqueue(std::span(arguments.begin(), arguments.size()), options, where);
  }

  // Runs with `inputs`, the arguments that are no pure results, in order, and new arrays
  // for those; returns all results in order. A result that takes over a parameter's
  // memory is that array.
  std::vector<Array> call(
      std::span<const Argument> inputs, const RunOptions& options = {},
      const std::source_location& where = std::source_location::current()) const;
  std::vector<Array> call(
      std::initializer_list<Argument> inputs, const RunOptions& options = {},
      const std::source_location& where = std::source_location::current()) const {
    return call(std::span(inputs.begin(), inputs.size()), options, where);
  }

  Executable executable() const;
  const Device& device() const;
  // Memory that each run at a time needs beside its arguments, in bytes.
  uint64_t scratch_bytes() const;

 private:
  friend struct api::Handles;
  explicit LoadedExecutable(std::shared_ptr<const api::LoadedState> state)
      : state_(std::move(state)) {}

  std::shared_ptr<const api::LoadedState> state_;
};

}  // namespace thunky

#endif  // THUNKY_API_LOADED_EXECUTABLE_H_
