// A program that is ready to be prepared for devices.
#ifndef THUNKY_RUNTIME_EXECUTABLE_H_
#define THUNKY_RUNTIME_EXECUTABLE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/executable.pb.h"
#include "thunky/code/ptx_library.h"
#include "thunky/runtime/arguments.h"
#include "thunky/runtime/kernel_table.h"
#include "thunky/runtime/thunk_sequence.h"
#include "thunky/schema/code_table.h"
#include "thunky/schema/constants.h"
#include "thunky/schema/signature.h"

namespace thunky::runtime {

struct LoadOptions {
  std::string name;  // for messages; empty: the module's own name
  // PTX for kernels whose own code is only binary. May be null; needed only
  // during Load.
  const code::PtxLibrary* kernels = nullptr;
};

// A decoded and verified program. Immutable and shared: any number of devices and
// threads may use one. Knows no device.
class Executable {
 public:
  // Verifies the whole proto, then decodes it. InvalidArgument for a program that
  // is not well formed; Unimplemented, naming every thunk, for kinds and custom-call
  // targets that this build cannot run.
  static absl::StatusOr<std::shared_ptr<const Executable>> Load(
      const wire::GpuExecutableProto& proto, const LoadOptions& options);

  const std::string& name() const { return name_; }
  const schema::Signature& signature() const { return signature_; }
  // In the order in which a run binds them.
  const std::vector<Argument>& arguments() const { return arguments_; }
  const std::vector<schema::Constant>& constants() const { return constants_; }
  const KernelTable& kernels() const { return kernels_; }
  const ThunkSequence& thunks() const { return thunks_; }
  int64_t allocation_count() const { return allocation_count_; }

 private:
  // Both are needed only during Load.
  Executable(const code::PtxLibrary* library, const schema::CodeTable& code)
      : kernels_(library, &code) {}

  std::string name_;
  schema::Signature signature_;
  std::vector<Argument> arguments_;
  std::vector<schema::Constant> constants_;
  KernelTable kernels_;
  ThunkSequence thunks_;
  int64_t allocation_count_ = 0;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_EXECUTABLE_H_
