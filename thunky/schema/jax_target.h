// The machine and the release of JAX that an executable is written for.
#ifndef THUNKY_SCHEMA_JAX_TARGET_H_
#define THUNKY_SCHEMA_JAX_TARGET_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/abi.pb.h"
#include "proto/executable.pb.h"

namespace thunky::schema {

// What jaxlib compares with the machine and with itself before it loads a file. The
// compute capability must be the device's own, its letter included.
struct JaxTarget {
  wire::CudaComputeCapabilityProto compute_capability;
  std::string cuda_toolkit_version;
  std::string cudnn_version;
  std::string cub_version;
};

// "9.0a", as JAX states the capability of the device: "a" for accelerated, "f" for
// family-compatible features. The versions are those of jaxlib 0.11.2 for CUDA 13.
// InvalidArgument for any other text.
absl::StatusOr<JaxTarget> JaxTargetOf(absl::string_view compute_capability);

// What an executable says of its own: its compute capability, and the versions of its
// ABI where it states those (else as above; jaxlib loads other ones too).
// InvalidArgument when it states no capability of CUDA's.
absl::StatusOr<JaxTarget> JaxTargetOf(const wire::GpuExecutableProto& executable);

// The platform and its libraries, as executables state them.
wire::ExecutableAbiVersionProto AbiVersionOf(const JaxTarget& target);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_JAX_TARGET_H_
