#include "thunky/schema/release.h"

#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace thunky::schema {
namespace {

// Text from the file, safe to print.
std::string Printable(const std::string& text) { return absl::CHexEscape(text); }

void AddVersion(const char* name, const std::string& version,
                std::vector<std::string>* facts) {
  if (!version.empty()) facts->push_back(absl::StrCat(name, " ", Printable(version)));
}

void AddAbi(const wire::ExecutableAbiVersionProto& abi, std::vector<std::string>* facts) {
  if (!abi.has_cuda_platform_version()) {
    AddVersion("platform", abi.platform_name(), facts);
    return;
  }
  AddVersion("CUDA", abi.cuda_platform_version().cuda_toolkit_version(), facts);
  AddVersion("cuDNN", abi.cuda_platform_version().cudnn_version(), facts);
  AddVersion("CUB", abi.cuda_platform_version().cub_version(), facts);
}

std::string CudaCapability(const wire::CudaComputeCapabilityProto& capability) {
  using Capability = wire::CudaComputeCapabilityProto;
  const auto extension = capability.feature_extension();
  const char* suffix = extension == Capability::ACCELERATED_FEATURES         ? "a"
                       : extension == Capability::FAMILY_COMPATIBLE_FEATURES ? "f"
                                                                             : "";
  return absl::StrCat("compute capability ", capability.major(), ".", capability.minor(),
                      suffix);
}

void AddCapability(const wire::GpuComputeCapabilityProto& capability,
                   std::vector<std::string>* facts) {
  switch (capability.compute_capability_case()) {
    case wire::GpuComputeCapabilityProto::kCudaComputeCapability:
      facts->push_back(CudaCapability(capability.cuda_compute_capability()));
      break;
    case wire::GpuComputeCapabilityProto::kRocmComputeCapability:
      AddVersion("ROCm", capability.rocm_compute_capability().gcn_arch_name(), facts);
      break;
    case wire::GpuComputeCapabilityProto::kOneapiComputeCapability:
      AddVersion("oneAPI", capability.oneapi_compute_capability().architecture(), facts);
      break;
    default:
      break;
  }
}

}  // namespace

std::string DescribeRelease(const wire::GpuExecutableProto& executable,
                            const wire::ifrt::SerializedXlaExecutableMetadata* metadata) {
  std::vector<std::string> facts;
  AddAbi(executable.executable_abi_version(), &facts);
  AddCapability(executable.gpu_compute_capability(), &facts);
  if (metadata != nullptr) {
    facts.push_back(absl::StrCat("ifrt version ", metadata->ifrt_version_number()));
    AddVersion("runtime", metadata->runtime_name(), &facts);
  }
  return facts.empty() ? "unknown" : absl::StrJoin(facts, ", ");
}

}  // namespace thunky::schema
