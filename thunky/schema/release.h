// What wrote an executable, as far as the file says.
#ifndef THUNKY_SCHEMA_RELEASE_H_
#define THUNKY_SCHEMA_RELEASE_H_

#include <string>

#include "proto/executable.pb.h"
#include "proto/ifrt.pb.h"

namespace thunky::schema {

// One line for people: "CUDA 13.0.0, cuDNN 9.19.0, CUB 3.2.0, compute capability
// 9.0a, ifrt version 3, runtime pjrt_ifrt". Facts the file lacks are left out;
// "unknown" when it has none. `metadata` may be null.
std::string DescribeRelease(const wire::GpuExecutableProto& executable,
                            const wire::ifrt::SerializedXlaExecutableMetadata* metadata);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_RELEASE_H_
