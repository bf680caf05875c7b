// Launches of one kernel: kernel (code in the module) and custom_kernel (own code, or
// code in the table).
#include <algorithm>
#include <optional>

#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/launch.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

// An argument that is not written is read; a written one may keep some old bytes;
// a written one whose bytes are passed once more is certainly read.
template <typename Args, typename Written>
void AddArguments(const Args& args, const Written& written,
                  std::vector<Access>* accesses) {
  SliceSet once;
  SliceSet again;
  for (int i = 0; i < Listed(args.size()); ++i) {
    const Slice slice = SliceOf(args[i]);
    (once.Has(slice) ? again : once).Insert(slice);
  }
  for (int i = 0; i < Listed(args.size()); ++i) {
    const Slice slice = SliceOf(args[i]);
    AccessMode mode = AccessMode::kRead;
    if (i < written.size() && written[i]) {
      mode = again.Has(slice) ? AccessMode::kReadWrite : AccessMode::kWrite;
    }
    accesses->push_back({slice, mode, Indexed("args", i)});
  }
}

template <typename Written>
absl::Status CheckWritten(int args, const Written& written) {
  if (args == written.size()) return absl::OkStatus();
  return Invalid("has ", args, " args and ", written.size(),
                 " written flags; there must be one flag an argument");
}

template <typename Indices, typename Written>
absl::Status CheckZeroedOutputs(const Indices& indices, const Written& written) {
  for (const int64_t index : indices) {
    if (index < 0 || index >= written.size()) {
      return Invalid("zeroed_output_buffer_indices names argument ", index, " of ",
                     written.size());
    }
    if (!written[static_cast<int>(index)]) {
      return Invalid("zeroed_output_buffer_indices names argument ", index,
                     ", which is not written");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTma(const wire::TmaMetadataProto& tma, int args) {
  for (const auto& [index, descriptor] : tma.arg_index_to_tma_info()) {
    if (index >= 0 && index < args) continue;
    return Invalid("tma_metadata names argument ", index, " of ", args);
  }
  return absl::OkStatus();
}

void KernelAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  AddArguments(thunk.kernel_thunk().args(), thunk.kernel_thunk().written(), accesses);
}

absl::Status VerifyKernel(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::KernelThunkProto& kernel = thunk.kernel_thunk();
  if (kernel.kernel_name().empty()) return Invalid("kernel_name is missing");
  RETURN_IF_ERROR(CheckWritten(kernel.args_size(), kernel.written()));
  if (kernel.args_shape_size() != 0 && kernel.args_shape_size() != kernel.args_size()) {
    return Invalid("has ", kernel.args_size(), " args and ", kernel.args_shape_size(),
                   " shapes of them");
  }
  const wire::LaunchDimensionsProto& launch = kernel.launch_dimensions();
  const wire::Dim3DProto& grid = launch.block_counts().coordinates();
  RETURN_IF_ERROR(CheckGrid(grid));
  RETURN_IF_ERROR(CheckBlock(launch.thread_counts_per_block().coordinates()));
  if (kernel.has_cluster_dim()) {
    RETURN_IF_ERROR(CheckCluster(kernel.cluster_dim().coordinates(), grid));
  }
  RETURN_IF_ERROR(CheckSharedMemory(kernel.shmem_bytes()));
  RETURN_IF_ERROR(CheckTma(kernel.tma_metadata(), kernel.args_size()));
  RETURN_IF_ERROR(
      CheckZeroedOutputs(kernel.zeroed_output_buffer_indices(), kernel.written()));
  return CheckOwnAccesses(ThunkKind::kKernel, thunk, context);
}

// Code in the table, by its hash.
absl::Status CheckTableCode(const wire::KernelLoaderSpecProto& spec,
                            const CodeTable* table) {
  const std::string& hash = spec.thunky_code();
  if (spec.payload_case() != wire::KernelLoaderSpecProto::PAYLOAD_NOT_SET) {
    return Invalid("the kernel has code of its own and refers to code ", ShortHash(hash),
                   " of the table too; it must be one of them");
  }
  if (table == nullptr || table->Find(hash) == nullptr) {
    return Invalid("the kernel refers to code ", ShortHash(hash),
                   ", which is not in the table of ",
                   table == nullptr ? 0 : table->size(), " entries");
  }
  return absl::OkStatus();
}

absl::Status CheckPayload(const wire::KernelLoaderSpecProto& spec) {
  switch (spec.payload_case()) {
    case wire::KernelLoaderSpecProto::kPtx:
      if (spec.ptx().data().empty()) return Invalid("the kernel's PTX is empty");
      break;
    case wire::KernelLoaderSpecProto::kCubin:
      if (spec.cubin().data().empty()) return Invalid("the kernel's cubin is empty");
      break;
    case wire::KernelLoaderSpecProto::kInProcessSymbol:
      if (!spec.in_process_symbol().persistent_name().empty()) break;
      return Invalid("the kernel's in-process symbol has no name");
    default:
      return Invalid(
          "the kernel has no code: PTX, a cubin or an in-process symbol is needed");
  }
  return absl::OkStatus();
}

absl::Status CheckCode(const wire::KernelLoaderSpecProto& spec, const CodeTable* table) {
  RETURN_IF_ERROR(spec.thunky_code().empty() ? CheckPayload(spec)
                                             : CheckTableCode(spec, table));
  if (spec.has_in_process_symbol() || !spec.kernel_name().empty()) {
    return absl::OkStatus();
  }
  return Invalid("kernel_name is missing");
}

absl::Status CheckParameters(const wire::KernelLoaderSpecProto& spec, int args) {
  if (spec.has_kernel_args_packing_spec()) {
    return CheckPackingSpec(spec.kernel_args_packing_spec(), spec.arity(), args);
  }
  if (spec.arity() == args) return absl::OkStatus();
  return Invalid("has ", args, " args, arity is ", spec.arity(),
                 " and there is no packing spec");
}

std::optional<AccessMode> ModeOf(int mode) {
  switch (mode) {
    case wire::ACCESS_MODE_READ:
      return AccessMode::kRead;
    case wire::ACCESS_MODE_WRITE:
      return AccessMode::kWrite;
    case wire::ACCESS_MODE_READ_WRITE:
      return AccessMode::kReadWrite;
    case wire::ACCESS_MODE_WRITE_ALL:
      return AccessMode::kWriteAll;
    default:
      return std::nullopt;
  }
}

// Access modes, where there are any: one an argument, and none against `written`.
absl::Status CheckModes(const wire::CustomKernelThunkProto& launch) {
  const auto& modes = launch.thunky_access();
  if (modes.empty()) return absl::OkStatus();
  if (modes.size() != launch.args_size()) {
    return Invalid("has ", launch.args_size(), " args and ", modes.size(),
                   " access modes; there must be none or one an argument");
  }
  for (int i = 0; i < modes.size(); ++i) {
    const std::optional<AccessMode> mode = ModeOf(modes[i]);
    if (!mode.has_value()) {
      return Invalid("args[", i, "] has access mode ", modes[i],
                     "; expected read, write, read_write or write_all");
    }
    if (Writes(*mode) != launch.written(i)) {
      return Invalid("args[", i, "] has access mode ", AccessModeName(*mode), " and is ",
                     launch.written(i) ? "" : "not ", "marked as written");
    }
  }
  return absl::OkStatus();
}

void CustomKernelAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const wire::CustomKernelThunkProto& launch = thunk.custom_kernel_thunk();
  const size_t first = accesses->size();
  AddArguments(launch.args(), launch.written(), accesses);
  for (int i = 0; i < std::min(Listed(launch.args_size()), launch.thunky_access_size());
       ++i) {
    Access& access = (*accesses)[first + static_cast<size_t>(i)];
    access.mode = ModeOf(launch.thunky_access(i)).value_or(access.mode);
  }
}

absl::Status VerifyCustomKernel(const wire::ThunkProto& thunk,
                                const VerifyContext& context) {
  const wire::CustomKernelThunkProto& launch = thunk.custom_kernel_thunk();
  const wire::CustomKernelProto& kernel = launch.custom_kernel();
  RETURN_IF_ERROR(CheckPresent(launch.has_custom_kernel(), "custom_kernel"));
  RETURN_IF_ERROR(CheckWritten(launch.args_size(), launch.written()));
  RETURN_IF_ERROR(CheckModes(launch));
  RETURN_IF_ERROR(CheckShapedList(launch.args(), "args"));
  RETURN_IF_ERROR(CheckCode(kernel.kernel_spec(), context.code));
  RETURN_IF_ERROR(CheckParameters(kernel.kernel_spec(), launch.args_size()));
  const wire::Dim3DProto& grid = kernel.block_dims().coordinates();
  RETURN_IF_ERROR(CheckGrid(grid));
  RETURN_IF_ERROR(CheckBlock(kernel.thread_dims().coordinates()));
  if (kernel.has_cluster_dim()) {
    RETURN_IF_ERROR(CheckCluster(kernel.cluster_dim().coordinates(), grid));
  }
  RETURN_IF_ERROR(CheckSharedMemory(kernel.shared_memory_bytes()));
  RETURN_IF_ERROR(CheckTma(launch.tma_metadata(), launch.args_size()));
  RETURN_IF_ERROR(
      CheckZeroedOutputs(launch.zeroed_output_buffer_indices(), launch.written()));
  return CheckOwnAccesses(ThunkKind::kCustomKernel, thunk, context);
}

constexpr KindRules kRules[] = {
    {ThunkKind::kKernel, VerifyKernel, KernelAccesses, nullptr},
    {ThunkKind::kCustomKernel, VerifyCustomKernel, CustomKernelAccesses, nullptr},
};

}  // namespace

absl::Span<const KindRules> KernelRules() { return kRules; }

}  // namespace thunky::schema::kinds
