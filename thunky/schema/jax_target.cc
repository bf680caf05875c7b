#include "thunky/schema/jax_target.h"

#include <cstdint>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace thunky::schema {
namespace {

using Capability = wire::CudaComputeCapabilityProto;

// What jaxlib 0.11.2 with its CUDA 13 plugin writes into its files (seen in the
// programs under test/fixtures).
constexpr char kCudaToolkitVersion[] = "13.0.0";
constexpr char kCudnnVersion[] = "9.19.0";
constexpr char kCubVersion[] = "3.2.0";

constexpr char kCudaPlatform[] = "CUDA";

// A number of one or two digits without sign or leading zero.
bool ParseNumber(absl::string_view text, int32_t* number) {
  if (text.empty() || text.size() > 2) return false;
  if (text.size() == 2 && text.front() == '0') return false;
  if (text.find_first_not_of("0123456789") != absl::string_view::npos) return false;
  return absl::SimpleAtoi(text, number);
}

JaxTarget TargetOfThisRelease() {
  JaxTarget target;
  target.cuda_toolkit_version = kCudaToolkitVersion;
  target.cudnn_version = kCudnnVersion;
  target.cub_version = kCubVersion;
  return target;
}

}  // namespace

absl::StatusOr<JaxTarget> JaxTargetOf(absl::string_view compute_capability) {
  JaxTarget target = TargetOfThisRelease();
  Capability& capability = target.compute_capability;
  absl::string_view numbers = compute_capability;
  capability.set_feature_extension(Capability::NONE);
  if (absl::ConsumeSuffix(&numbers, "a")) {
    capability.set_feature_extension(Capability::ACCELERATED_FEATURES);
  } else if (absl::ConsumeSuffix(&numbers, "f")) {
    capability.set_feature_extension(Capability::FAMILY_COMPATIBLE_FEATURES);
  }
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(numbers, absl::MaxSplits('.', 1));
  int32_t major = 0;
  int32_t minor = 0;
  if (!ParseNumber(parts.first, &major) || !ParseNumber(parts.second, &minor)) {
    return absl::InvalidArgumentError(
        absl::StrCat("target '", compute_capability,
                     "': expected a compute capability such as 8.0, 9.0a or 12.0f"));
  }
  capability.set_major(major);
  capability.set_minor(minor);
  return target;
}

absl::StatusOr<JaxTarget> JaxTargetOf(const wire::GpuExecutableProto& executable) {
  if (!executable.gpu_compute_capability().has_cuda_compute_capability()) {
    return absl::InvalidArgumentError("the executable has no compute capability of CUDA");
  }
  JaxTarget target = TargetOfThisRelease();
  target.compute_capability =
      executable.gpu_compute_capability().cuda_compute_capability();
  const wire::ExecutableAbiVersionProto& abi = executable.executable_abi_version();
  if (abi.has_cuda_platform_version()) {
    const auto& versions = abi.cuda_platform_version();
    target.cuda_toolkit_version = versions.cuda_toolkit_version();
    target.cudnn_version = versions.cudnn_version();
    target.cub_version = versions.cub_version();
  }
  return target;
}

wire::ExecutableAbiVersionProto AbiVersionOf(const JaxTarget& target) {
  wire::ExecutableAbiVersionProto abi;
  abi.set_platform_name(kCudaPlatform);
  auto* version = abi.mutable_cuda_platform_version();
  version->set_cuda_toolkit_version(target.cuda_toolkit_version);
  version->set_cudnn_version(target.cudnn_version);
  version->set_cub_version(target.cub_version);
  return abi;
}

}  // namespace thunky::schema
