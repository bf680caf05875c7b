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

enum class CodeKind {
  kNone,
  kPtx,
  kCubin,
  kModulePtx,    // in the executable's asm_text
  kModuleCubin,  // in the executable's binary
  kInProcess,    // a symbol inside XLA: the file has no code
};
std::string_view CodeKindName(CodeKind kind);

// An entry with one code, and its launches. Points into the executable.
struct ProgramKernel {
  std::string entry;
  CodeKind kind = CodeKind::kNone;
  std::string_view code;  // of kInProcess: the symbol's name
  std::vector<std::string> paths;
  std::vector<KernelLaunch> launches;  // as long as `paths`
};

// In the order of first launch. Errors are WalkThunks'.
absl::StatusOr<std::vector<ProgramKernel>> KernelsOf(
    const wire::GpuExecutableProto& executable);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_KERNEL_CODE_H_
