#include "thunky/tooling/kernel_code.h"

#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/walk.h"

namespace thunky::tooling {
namespace {

std::array<int64_t, 3> Dims(const wire::Dim3DProto& dims) {
  return {dims.x(), dims.y(), dims.z()};
}

std::string Times(const std::array<int64_t, 3>& dims) {
  return absl::StrCat(dims[0], "x", dims[1], "x", dims[2]);
}

KernelLaunch LaunchOf(const wire::KernelThunkProto& thunk) {
  KernelLaunch launch;
  launch.entry = thunk.kernel_name();
  launch.grid = Dims(thunk.launch_dimensions().block_counts().coordinates());
  launch.block = Dims(thunk.launch_dimensions().thread_counts_per_block().coordinates());
  if (thunk.has_cluster_dim()) launch.cluster = Dims(thunk.cluster_dim().coordinates());
  launch.shared_bytes = thunk.shmem_bytes();
  return launch;
}

KernelLaunch LaunchOf(const wire::CustomKernelProto& kernel) {
  KernelLaunch launch;
  launch.entry = kernel.kernel_spec().kernel_name();
  launch.grid = Dims(kernel.block_dims().coordinates());
  launch.block = Dims(kernel.thread_dims().coordinates());
  if (kernel.has_cluster_dim()) launch.cluster = Dims(kernel.cluster_dim().coordinates());
  launch.shared_bytes = kernel.shared_memory_bytes();
  launch.spec = &kernel.kernel_spec();
  return launch;
}

// Code and its kind, of a launch in `executable`.
std::pair<CodeKind, std::string_view> CodeOf(const wire::GpuExecutableProto& executable,
                                             const KernelLaunch& launch) {
  if (launch.spec == nullptr) {
    if (!executable.asm_text().empty())
      return {CodeKind::kModulePtx, executable.asm_text()};
    if (!executable.binary().empty())
      return {CodeKind::kModuleCubin, executable.binary()};
    return {CodeKind::kNone, ""};
  }
  switch (launch.spec->payload_case()) {
    case wire::KernelLoaderSpecProto::kPtx:
      return {CodeKind::kPtx, launch.spec->ptx().data()};
    case wire::KernelLoaderSpecProto::kCubin:
      return {CodeKind::kCubin, launch.spec->cubin().data()};
    case wire::KernelLoaderSpecProto::kInProcessSymbol:
      return {CodeKind::kInProcess, launch.spec->in_process_symbol().persistent_name()};
    case wire::KernelLoaderSpecProto::PAYLOAD_NOT_SET:
      break;
  }
  return {CodeKind::kNone, ""};
}

}  // namespace

std::string KernelLaunch::DescribeShape() const {
  std::string text = absl::StrCat("grid ", Times(grid), ", block ", Times(block));
  if (cluster.has_value()) absl::StrAppend(&text, ", cluster ", Times(*cluster));
  if (shared_bytes != 0) absl::StrAppend(&text, ", shared ", shared_bytes, " bytes");
  return text;
}

std::optional<KernelLaunch> LaunchOf(schema::ThunkKind kind,
                                     const wire::ThunkProto& thunk) {
  if (kind == schema::ThunkKind::kKernel) return LaunchOf(thunk.kernel_thunk());
  if (kind == schema::ThunkKind::kCustomKernel) {
    return LaunchOf(thunk.custom_kernel_thunk().custom_kernel());
  }
  return std::nullopt;
}

std::string_view CodeKindName(CodeKind kind) {
  switch (kind) {
    case CodeKind::kNone:
      return "no code";
    case CodeKind::kPtx:
      return "PTX";
    case CodeKind::kCubin:
      return "cubin";
    case CodeKind::kModulePtx:
      return "the module's PTX";
    case CodeKind::kModuleCubin:
      return "the module's cubin";
    case CodeKind::kInProcess:
      return "a symbol inside XLA";
  }
  return "no code";
}

absl::StatusOr<std::vector<ProgramKernel>> KernelsOf(
    const wire::GpuExecutableProto& executable) {
  std::vector<ProgramKernel> kernels;
  std::map<std::tuple<std::string, CodeKind, std::string_view>, size_t> known;
  RETURN_IF_ERROR(schema::WalkThunks(
      executable.thunks(), [&](const schema::ThunkVisit& visit) -> absl::Status {
        if (!visit.kind.has_value()) return absl::OkStatus();
        std::optional<KernelLaunch> launch = LaunchOf(*visit.kind, visit.thunk);
        if (!launch.has_value()) return absl::OkStatus();
        const auto [kind, code] = CodeOf(executable, *launch);
        const auto [it, is_new] =
            known.emplace(std::tuple(launch->entry, kind, code), kernels.size());
        if (is_new) kernels.push_back({launch->entry, kind, code, {}, {}});
        kernels[it->second].paths.push_back(visit.path.ToString());
        kernels[it->second].launches.push_back(*std::move(launch));
        return absl::OkStatus();
      }));
  return kernels;
}

}  // namespace thunky::tooling
