// What a GPU can launch.
#ifndef THUNKY_SCHEMA_KINDS_LAUNCH_H_
#define THUNKY_SCHEMA_KINDS_LAUNCH_H_

#include "absl/status/status.h"
#include "proto/kernel.pb.h"

namespace thunky::schema::kinds {

// Blocks of a grid: each dimension at least 1, x < 2^31, y and z < 65536.
absl::Status CheckGrid(const wire::Dim3DProto& blocks);
// Threads of a block: each dimension at least 1, x and y <= 1024, z <= 64, at most
// 1024 in all.
absl::Status CheckBlock(const wire::Dim3DProto& threads);
// Blocks of a cluster: each dimension at least 1, at most 16 in all, and the grid
// must be made of whole clusters. `blocks` has passed CheckGrid.
absl::Status CheckCluster(const wire::Dim3DProto& cluster,
                          const wire::Dim3DProto& blocks);
// Shared memory in bytes: not negative. What a device has is known at load only.
absl::Status CheckSharedMemory(int64_t bytes);

// The parameters that the packing spec describes: each is 8 bytes that take the
// address of one of `buffers` arguments, or 1 to 4096 constant bytes.
absl::Status CheckPackingSpec(const wire::KernelArgsPackingSpecProto& spec, int arity,
                              int buffers);

}  // namespace thunky::schema::kinds

#endif  // THUNKY_SCHEMA_KINDS_LAUNCH_H_
