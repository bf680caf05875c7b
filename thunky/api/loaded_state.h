// A program on a device as the interface's handles share it, and what a run of it binds.
#ifndef THUNKY_API_LOADED_STATE_H_
#define THUNKY_API_LOADED_STATE_H_

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/api/argument.h"
#include "thunky/api/array_state.h"
#include "thunky/api/device.h"
#include "thunky/api/executable_state.h"
#include "thunky/hal/memory.h"
#include "thunky/runtime/loaded_executable.h"

namespace thunky::api {

// Thread-safe.
class LoadedState {
 public:
  LoadedState(std::shared_ptr<const ExecutableState> executable, Device device,
              std::unique_ptr<runtime::LoadedExecutable> program)
      : executable_(std::move(executable)),
        device_(std::move(device)),
        program_(std::move(program)) {}

  const std::shared_ptr<const ExecutableState>& executable() const { return executable_; }
  const Device& device() const { return device_; }
  runtime::LoadedExecutable& program() const { return *program_; }

 private:
  std::shared_ptr<const ExecutableState> executable_;
  Device device_;
  std::unique_ptr<runtime::LoadedExecutable> program_;
};

// The memory of a run's arguments.
struct BoundArguments {
  std::vector<hal::DeviceSpan> spans;  // one for each argument of the program
  // Copies of values of the host.
  std::vector<std::unique_ptr<hal::Allocation>> copies;
};

// Checks what a run of `program` was given, and copies values of the host to the device.
// The arrays must outlive the result. InvalidArgument as loaded_executable.h lists it,
// and errors of the device.
absl::StatusOr<BoundArguments> BindArguments(const LoadedState& program,
                                             std::span<const Argument> arguments);

}  // namespace thunky::api

#endif  // THUNKY_API_LOADED_STATE_H_
