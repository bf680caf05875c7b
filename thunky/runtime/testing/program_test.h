// Tests of thunks: a program of a few lines of text proto, run on the host device
// with kernels that are C++ functions.
#ifndef THUNKY_RUNTIME_TESTING_PROGRAM_TEST_H_
#define THUNKY_RUNTIME_TESTING_PROGRAM_TEST_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/executable.pb.h"
#include "thunky/hal/device.h"
#include "thunky/runtime/executable.h"
#include "thunky/runtime/loaded_executable.h"

namespace thunky::runtime {

// Kernels that stand in for PTX: found by entry name, whatever the code says.
class FunctionKernels : public hal::KernelLoader {
 public:
  using Function = std::function<absl::Status(const hal::LaunchParams&)>;

  // A kernel with `parameters` pointer parameters.
  void Define(const std::string& entry, int parameters, Function function);

  std::string_view name() const override { return "functions"; }
  absl::StatusOr<std::shared_ptr<const hal::HostKernel>> Load(
      const hal::KernelSource& source) override;

 private:
  std::map<std::string, std::shared_ptr<const hal::HostKernel>> kernels_;
};

// The i32 that kernel argument `index` points to.
int32_t& ArgumentI32(const hal::LaunchParams& params, size_t index);

class ProgramTest : public testing::Test {
 protected:
  ProgramTest();

  // A program whose allocations 0, 1, ... have these sizes in bytes and are all
  // results, so that a test sets and sees all of them. `thunks` is text proto of
  // the `thunks` field.
  wire::GpuExecutableProto Program(const std::vector<int64_t>& sizes,
                                   const std::string& thunks);

  absl::StatusOr<std::unique_ptr<LoadedExecutable>> Load(
      const wire::GpuExecutableProto& proto);

  // Loads and runs it on `buffers` (one per allocation), which it changes.
  absl::Status Run(const std::string& thunks, std::vector<std::vector<uint8_t>>* buffers);

  // The same for buffers of one i32 each.
  absl::Status RunI32(const std::string& thunks, std::vector<int32_t>* values);

  // Text proto of a thunk that launches the function kernel `entry` on whole i32
  // allocations; all of them count as written.
  static std::string KernelThunk(const std::string& entry,
                                 const std::vector<int>& allocations);

  FunctionKernels* kernels_;  // owned by the device
  std::unique_ptr<hal::Device> device_;
  hal::RunOptions options_;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_TESTING_PROGRAM_TEST_H_
