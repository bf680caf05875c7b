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

// The table of shared code by hash. A table that does not verify is shown too.
using SharedCode = std::map<std::string_view, const wire::KernelCodeProto*>;

SharedCode SharedCodeOf(const wire::GpuExecutableProto& executable) {
  SharedCode shared;
  for (const wire::KernelCodeProto& code : executable.thunky().kernel_code()) {
    shared.emplace(code.hash(), &code);
  }
  return shared;
}

CodeForm Ptx(std::string_view text) {
  return {.is_ptx = true, .architecture = {}, .bytes = text};
}
CodeForm Cubin(std::string_view bytes, std::string_view architecture = {}) {
  return {.is_ptx = false, .architecture = architecture, .bytes = bytes};
}

// Code without a kernel of its own.
void TakeModuleCode(const wire::GpuExecutableProto& executable, ProgramKernel& kernel) {
  if (!executable.asm_text().empty()) {
    kernel.forms.push_back(Ptx(executable.asm_text()));
  } else if (!executable.binary().empty()) {
    kernel.forms.push_back(Cubin(executable.binary()));
  }
  if (!kernel.forms.empty()) kernel.place = CodePlace::kModule;
}

void TakeSharedCode(const SharedCode& shared, const std::string& hash,
                    ProgramKernel& kernel) {
  const auto found = shared.find(hash);
  if (hash.empty() || found == shared.end()) return;
  kernel.place = CodePlace::kShared;
  const wire::KernelCodeProto& code = *found->second;
  if (!code.ptx().empty()) kernel.forms.push_back(Ptx(code.ptx()));
  for (const wire::CubinProto& cubin : code.cubins()) {
    kernel.forms.push_back(Cubin(cubin.data(), cubin.architecture()));
  }
}

// The kernel that a launch in `executable` launches, without the launch.
ProgramKernel KernelOf(const wire::GpuExecutableProto& executable,
                       const SharedCode& shared, const KernelLaunch& launch) {
  ProgramKernel kernel;
  kernel.entry = launch.entry;
  if (launch.spec == nullptr) {
    TakeModuleCode(executable, kernel);
    return kernel;
  }
  switch (launch.spec->payload_case()) {
    case wire::KernelLoaderSpecProto::kPtx:
      kernel.place = CodePlace::kOwn;
      kernel.forms.push_back(Ptx(launch.spec->ptx().data()));
      break;
    case wire::KernelLoaderSpecProto::kCubin:
      kernel.place = CodePlace::kOwn;
      kernel.forms.push_back(Cubin(launch.spec->cubin().data()));
      break;
    case wire::KernelLoaderSpecProto::kInProcessSymbol:
      kernel.place = CodePlace::kInProcess;
      kernel.symbol = launch.spec->in_process_symbol().persistent_name();
      break;
    case wire::KernelLoaderSpecProto::PAYLOAD_NOT_SET:
      TakeSharedCode(shared, launch.spec->thunky_code(), kernel);
      break;
  }
  return kernel;
}

// What tells kernels apart.
using KernelKey = std::tuple<std::string, CodePlace, std::string_view,
                             std::vector<std::pair<std::string_view, std::string_view>>>;

KernelKey KeyOf(const ProgramKernel& kernel) {
  KernelKey key(kernel.entry, kernel.place, kernel.symbol, {});
  for (const CodeForm& form : kernel.forms) {
    std::get<3>(key).emplace_back(form.is_ptx ? "PTX" : form.architecture, form.bytes);
  }
  return key;
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

std::string ProgramKernel::DescribeCode() const {
  if (place == CodePlace::kInProcess) return "a symbol inside XLA";
  if (forms.empty()) return "no code";
  std::string text = place == CodePlace::kModule   ? "the module's "
                     : place == CodePlace::kShared ? "shared "
                                                   : "";
  for (size_t i = 0; i < forms.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", forms[i].is_ptx ? "PTX" : "cubin");
    if (forms[i].architecture.empty()) continue;
    absl::StrAppend(&text, " for ", std::string(forms[i].architecture));
  }
  return text;
}

const CodeForm* ProgramKernel::ptx() const {
  return forms.empty() || !forms[0].is_ptx ? nullptr : &forms[0];
}

uint64_t ProgramKernel::code_bytes() const {
  uint64_t bytes = 0;
  for (const CodeForm& form : forms) bytes += form.bytes.size();
  return bytes;
}

absl::StatusOr<std::vector<ProgramKernel>> KernelsOf(
    const wire::GpuExecutableProto& executable) {
  std::vector<ProgramKernel> kernels;
  const SharedCode shared = SharedCodeOf(executable);
  std::map<KernelKey, size_t> known;
  RETURN_IF_ERROR(schema::WalkThunks(
      executable.thunks(), [&](const schema::ThunkVisit& visit) -> absl::Status {
        if (!visit.kind.has_value()) return absl::OkStatus();
        std::optional<KernelLaunch> launch = LaunchOf(*visit.kind, visit.thunk);
        if (!launch.has_value()) return absl::OkStatus();
        ProgramKernel kernel = KernelOf(executable, shared, *launch);
        const auto [it, is_new] = known.emplace(KeyOf(kernel), kernels.size());
        if (is_new) kernels.push_back(std::move(kernel));
        kernels[it->second].paths.push_back(visit.path.ToString());
        kernels[it->second].launches.push_back(*std::move(launch));
        return absl::OkStatus();
      }));
  return kernels;
}

}  // namespace thunky::tooling
