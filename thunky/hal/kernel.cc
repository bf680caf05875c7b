#include "thunky/hal/kernel.h"

#include "absl/strings/str_cat.h"

namespace thunky::hal {
namespace {

std::string Format(const Dim3& d) {
  return absl::StrCat("(", d.x, ",", d.y, ",", d.z, ")");
}

absl::Status CheckDim(const char* what, char axis, uint64_t value, uint64_t limit) {
  if (value <= limit) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(what, ".", std::string(1, axis), " is ",
                                                 value, ", the limit is ", limit));
}

absl::Status CheckDims(const char* what, const Dim3& dims, const Dim3& limit) {
  for (absl::Status status :
       {CheckDim(what, 'x', dims.x, limit.x), CheckDim(what, 'y', dims.y, limit.y),
        CheckDim(what, 'z', dims.z, limit.z)}) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

bool SameDims(const Dim3& d, const std::array<uint32_t, 3>& a) {
  return d.x == a[0] && d.y == a[1] && d.z == a[2];
}

}  // namespace

absl::Status CheckLaunch(const LaunchLimits& limits, const Dim3& grid, const Dim3& block,
                         uint64_t shared_bytes) {
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("block ", Format(block), " has a zero dimension"));
  }
  if (absl::Status s = CheckDims("block", block, limits.max_block); !s.ok()) return s;
  if (block.count() > limits.max_threads_per_block) {
    return absl::InvalidArgumentError(
        absl::StrCat("block ", Format(block), " has ", block.count(),
                     " threads, the limit is ", limits.max_threads_per_block));
  }
  if (absl::Status s = CheckDims("grid", grid, limits.max_grid); !s.ok()) return s;
  if (shared_bytes > limits.max_shared_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the block wants ", shared_bytes,
                     " bytes of shared memory, the limit is ", limits.max_shared_bytes));
  }
  return absl::OkStatus();
}

absl::Status CheckKernelLaunch(const LaunchLimits& limits, const KernelInfo& info,
                               const Dim3& grid, const Dim3& block,
                               uint64_t dynamic_shared_bytes,
                               absl::Span<const uint64_t> argument_sizes) {
  // Both terms are bounded before they are added, so the sum cannot wrap.
  if (dynamic_shared_bytes > limits.max_shared_bytes) {
    return CheckLaunch(limits, grid, block, dynamic_shared_bytes);
  }
  if (absl::Status s = CheckLaunch(limits, grid, block,
                                   dynamic_shared_bytes + info.static_shared_bytes);
      !s.ok()) {
    return s;
  }
  if (argument_sizes.size() != info.parameters.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("kernel '", info.entry, "' takes ", info.parameters.size(),
                     " parameters, ", argument_sizes.size(), " are given"));
  }
  for (size_t i = 0; i < argument_sizes.size(); ++i) {
    if (argument_sizes[i] != info.parameters[i].size) {
      return absl::InvalidArgumentError(absl::StrCat(
          "kernel '", info.entry, "', parameter ", i, " has ", info.parameters[i].size,
          " bytes, the argument has ", argument_sizes[i]));
    }
  }
  if (info.required_block && !SameDims(block, *info.required_block)) {
    const auto& want = *info.required_block;
    return absl::InvalidArgumentError(
        absl::StrCat("kernel '", info.entry, "' requires block (", want[0], ",", want[1],
                     ",", want[2], ") (.reqntid), the launch has ", Format(block)));
  }
  if (info.maximum_block) {
    const auto& most = *info.maximum_block;
    const uint64_t threads = uint64_t{most[0]} * most[1] * most[2];
    if (block.count() > threads) {
      return absl::InvalidArgumentError(
          absl::StrCat("kernel '", info.entry, "' allows at most ", threads,
                       " threads a block (.maxntid), the launch has ", block.count()));
    }
  }
  return absl::OkStatus();
}

}  // namespace thunky::hal
