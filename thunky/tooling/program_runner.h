// A program bound to buffers on a device, run any number of times.
#ifndef THUNKY_TOOLING_PROGRAM_RUNNER_H_
#define THUNKY_TOOLING_PROGRAM_RUNNER_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/hal/device.h"
#include "thunky/runtime/loaded_executable.h"
#include "thunky/tooling/argument_value.h"
#include "thunky/tooling/named_arrays.h"

namespace thunky::tooling {

// ResourceExhausted when the buffers of `executable` need more memory than
// `device` has free; its other errors are the device's. Allocates nothing.
absl::Status CheckMemory(const runtime::Executable& executable, hal::Device& device);

// out0, out1, ...: the results of `executable` in order. Unimplemented for types
// that no array file holds.
absl::StatusOr<std::vector<ArraySpec>> OutputSpecs(const runtime::Executable& executable);

class ProgramRunner {
 public:
  // `program` outlives the runner; `values` has one value for each argument, and
  // `outputs` is OutputSpecs of its executable.
  ProgramRunner(runtime::LoadedExecutable& program, std::vector<ArgumentValue> values,
                std::vector<ArraySpec> outputs)
      : program_(program), values_(std::move(values)), outputs_(std::move(outputs)) {}

  // Makes the buffers hold the values again: all of them the first time and when
  // `new_buffers` asks for new ones, else those that a run may have changed.
  absl::Status Restore(bool new_buffers);

  // Runs once and waits. Restore was called since the last run. Returns seconds.
  absl::StatusOr<double> Run(const hal::RunOptions& options);

  // The results of the last run.
  absl::StatusOr<std::vector<NamedArray>> Outputs() const;

 private:
  runtime::LoadedExecutable& program_;
  std::vector<ArgumentValue> values_;
  std::vector<ArraySpec> outputs_;
  std::vector<std::unique_ptr<hal::Allocation>> buffers_;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_PROGRAM_RUNNER_H_
