// The kernels of an executable, their code and who launches them.
#ifndef THUNKY_TOOLING_KERNEL_CODE_H_
#define THUNKY_TOOLING_KERNEL_CODE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/executable.pb.h"
#include "thunky/schema/thunk_kind.h"

namespace thunky::tooling {

// One launch, as a thunk describes it.
struct KernelLaunch {
  std::string entry;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::array<int64_t, 3> block = {1, 1, 1};
  std::optional<std::array<int64_t, 3>> cluster;
  int64_t shared_bytes = 0;
  // Where its own code is; null for thunks whose code is the module's.
  const wire::KernelLoaderSpecProto* spec = nullptr;

  // "grid 4x1x1, block 128x1x1", and cluster and shared memory where there are.
  std::string DescribeShape() const;
};

// The launch of a thunk that launches a kernel of its own; nothing for others.
std::optional<KernelLaunch> LaunchOf(schema::ThunkKind kind,
                                     const wire::ThunkProto& thunk);

// Where a kernel's code is.
enum class CodePlace {
  kNone,
  kOwn,        // in the kernel
  kModule,     // in the executable's asm_text or binary
  kShared,     // in the table of code that kernels share
  kInProcess,  // a symbol inside XLA: the file has no code
};

// Code in one form.
struct CodeForm {
  bool is_ptx = false;  // else a cubin
  std::string_view
      architecture;  // of a cubin, "sm_90a"; empty when the file does not say
  std::string_view bytes;
};

// An entry with one code, and its launches. Points into the executable.
struct ProgramKernel {
  std::string entry;
  CodePlace place = CodePlace::kNone;
  std::string_view symbol;      // of kInProcess
  std::vector<CodeForm> forms;  // PTX first
  std::vector<std::string> paths;
  std::vector<KernelLaunch> launches;  // as long as `paths`

  // "PTX", "the module's cubin", "shared PTX, cubin for sm_90a", "no code".
  std::string DescribeCode() const;
  // Null when there is none.
  const CodeForm* ptx() const;
  uint64_t code_bytes() const;
};

// In the order of first launch. Errors are WalkThunks'.
absl::StatusOr<std::vector<ProgramKernel>> KernelsOf(
    const wire::GpuExecutableProto& executable);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_KERNEL_CODE_H_
