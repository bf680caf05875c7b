#include "thunky/schema/release.h"

#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

TEST(DescribeReleaseTest, ListsWhatTheFileSays) {
  const auto executable = Parse<wire::GpuExecutableProto>(R"pb(
    executable_abi_version {
      platform_name: "CUDA"
      cuda_platform_version { cuda_toolkit_version: "13.0.0" cub_version: "3.2.0" }
    }
    gpu_compute_capability {
      cuda_compute_capability { major: 10 minor: 3 feature_extension: NONE }
    }
  )pb");
  EXPECT_EQ(DescribeRelease(executable, nullptr),
            "CUDA 13.0.0, CUB 3.2.0, compute capability 10.3");
  wire::ifrt::SerializedXlaExecutableMetadata metadata;
  metadata.set_ifrt_version_number(3);
  metadata.set_runtime_name("pjrt\nifrt");
  EXPECT_EQ(DescribeRelease(wire::GpuExecutableProto(), &metadata),
            "ifrt version 3, runtime pjrt\\nifrt");
}

TEST(DescribeReleaseTest, OtherPlatforms) {
  EXPECT_EQ(DescribeRelease(Parse<wire::GpuExecutableProto>(R"pb(
                              executable_abi_version { platform_name: "ROCM" }
                              gpu_compute_capability {
                                rocm_compute_capability { gcn_arch_name: "gfx942" }
                              }
                            )pb"),
                            nullptr),
            "platform ROCM, ROCm gfx942");
}

TEST(DescribeReleaseTest, UnknownWithoutFacts) {
  EXPECT_EQ(DescribeRelease(wire::GpuExecutableProto(), nullptr), "unknown");
}

}  // namespace
}  // namespace thunky::schema
