// Modules that run on the host device, for tests.
#ifndef THUNKY_TEST_MODULES_HOST_PROGRAM_H_
#define THUNKY_TEST_MODULES_HOST_PROGRAM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/hal/device.h"
#include "thunky/runtime/loaded_executable.h"

namespace thunky::module_tests {

using Bytes = std::vector<uint8_t>;

// A program that is ready to run.
class HostProgram {
 public:
  // Exports a copy of the module for our own runtime and loads it. Errors are those of
  // the runtime; those of the export are in the compiler's diagnostics.
  static absl::StatusOr<HostProgram> make(compiler::TestCompiler& compiler,
                                          mlir::ModuleOp module);
  static absl::StatusOr<HostProgram> make(const wire::GpuExecutableProto& executable);

  const runtime::Executable& executable() const { return loaded_->executable(); }
  uint64_t scratchBytes() const { return loaded_->scratch_bytes(); }

  // One buffer for each argument, filled from a fixed sequence of numbers that depends
  // on `seed`. Contents that stand for small numbers in every type.
  std::vector<Bytes> madeUpArguments(uint64_t seed) const;

  // Runs it on buffers with these contents, and gives what is in them then.
  absl::StatusOr<std::vector<Bytes>> run(const std::vector<Bytes>& arguments);

 private:
  HostProgram(std::unique_ptr<hal::Device> device,
              std::unique_ptr<runtime::LoadedExecutable> loaded)
      : device_(std::move(device)), loaded_(std::move(loaded)) {}

  std::unique_ptr<hal::Device> device_;
  std::unique_ptr<runtime::LoadedExecutable> loaded_;
};

// A program that JAX compiled, with what it was given and what it gave.
struct JaxProgram {
  // With the PTX that lies beside it. Null, and a failure of the test, when it cannot be
  // read.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::map<std::string, Bytes> arrays;  // "in0", "out0"
};
JaxProgram readJaxProgram(compiler::TestCompiler& compiler, const std::string& fixture);

// Whether every float of `found` is within 1e-5 of the largest magnitude in `expected`.
bool isClose(const Bytes& found, const Bytes& expected);

}  // namespace thunky::module_tests

#endif  // THUNKY_TEST_MODULES_HOST_PROGRAM_H_
