#include "thunky/schema/kinds/launch.h"

#include <cstdint>

#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

constexpr int64_t kMaxGridX = (int64_t{1} << 31) - 1;
constexpr int64_t kMaxGridYZ = 65535;
constexpr int64_t kMaxBlockXY = 1024;
constexpr int64_t kMaxBlockZ = 64;
constexpr int64_t kMaxThreadsPerBlock = 1024;
constexpr int64_t kMaxClusterBlocks = 16;
constexpr int kMaxParameterBytes = 4096;

absl::Status CheckDimension(absl::string_view what, int64_t value, int64_t limit) {
  if (value >= 1 && value <= limit) return absl::OkStatus();
  return Invalid(what, " is ", value, "; 1 to ", limit, " are allowed");
}

absl::Status CheckRelocation(const wire::KernelArgPackingRelocationProto& relocation,
                             int buffers) {
  using Relocation = wire::KernelArgPackingRelocationProto;
  if (relocation.kind() != Relocation::KIND_BITS64_ABSOLUTE) {
    return Invalid("has a relocation of kind ", relocation.kind(),
                   "; only KIND_BITS64_ABSOLUTE (1) is known");
  }
  if (relocation.argument_index() >= 0 && relocation.argument_index() < buffers) {
    return absl::OkStatus();
  }
  return Invalid("takes the address of argument ", relocation.argument_index(), " of ",
                 buffers);
}

absl::Status CheckParameter(const wire::KernelArgPackingSpecProto& parameter,
                            int buffers) {
  const size_t bytes = parameter.data().size();
  if (parameter.relocations_size() == 0) {
    if (bytes >= 1 && bytes <= kMaxParameterBytes) return absl::OkStatus();
    return Invalid("has ", bytes, " constant bytes; 1 to ", kMaxParameterBytes,
                   " are allowed");
  }
  if (parameter.relocations_size() != 1 || bytes != 0) {
    return Invalid("has ", parameter.relocations_size(), " relocations and ", bytes,
                   " constant bytes; it must be one address or constant bytes");
  }
  return CheckRelocation(parameter.relocations(0), buffers);
}

}  // namespace

absl::Status CheckGrid(const wire::Dim3DProto& blocks) {
  RETURN_IF_ERROR(CheckDimension("grid x", blocks.x(), kMaxGridX));
  RETURN_IF_ERROR(CheckDimension("grid y", blocks.y(), kMaxGridYZ));
  return CheckDimension("grid z", blocks.z(), kMaxGridYZ);
}

absl::Status CheckBlock(const wire::Dim3DProto& threads) {
  RETURN_IF_ERROR(CheckDimension("block x", threads.x(), kMaxBlockXY));
  RETURN_IF_ERROR(CheckDimension("block y", threads.y(), kMaxBlockXY));
  RETURN_IF_ERROR(CheckDimension("block z", threads.z(), kMaxBlockZ));
  const int64_t count = threads.x() * threads.y() * threads.z();
  if (count <= kMaxThreadsPerBlock) return absl::OkStatus();
  return Invalid("the block has ", count, " threads; at most ", kMaxThreadsPerBlock,
                 " are allowed");
}

absl::Status CheckCluster(const wire::Dim3DProto& cluster,
                          const wire::Dim3DProto& blocks) {
  RETURN_IF_ERROR(CheckDimension("cluster x", cluster.x(), kMaxClusterBlocks));
  RETURN_IF_ERROR(CheckDimension("cluster y", cluster.y(), kMaxClusterBlocks));
  RETURN_IF_ERROR(CheckDimension("cluster z", cluster.z(), kMaxClusterBlocks));
  const int64_t count = cluster.x() * cluster.y() * cluster.z();
  if (count > kMaxClusterBlocks) {
    return Invalid("the cluster has ", count, " blocks; at most ", kMaxClusterBlocks,
                   " are allowed");
  }
  if (blocks.x() % cluster.x() != 0 || blocks.y() % cluster.y() != 0 ||
      blocks.z() % cluster.z() != 0) {
    return Invalid("the grid (", blocks.x(), ", ", blocks.y(), ", ", blocks.z(),
                   ") is not made of whole clusters of (", cluster.x(), ", ", cluster.y(),
                   ", ", cluster.z(), ") blocks");
  }
  return absl::OkStatus();
}

absl::Status CheckSharedMemory(int64_t bytes) {
  if (bytes >= 0) return absl::OkStatus();
  return Invalid("the shared memory is ", bytes, " bytes; it must not be negative");
}

absl::Status CheckPackingSpec(const wire::KernelArgsPackingSpecProto& spec, int arity,
                              int buffers) {
  if (spec.kernel_arguments_size() != arity) {
    return Invalid("the packing spec describes ", spec.kernel_arguments_size(),
                   " parameters and arity is ", arity);
  }
  for (int i = 0; i < spec.kernel_arguments_size(); ++i) {
    const absl::Status status = CheckParameter(spec.kernel_arguments(i), buffers);
    if (!status.ok()) return Invalid("packed parameter ", i, " ", status.message());
  }
  return absl::OkStatus();
}

}  // namespace thunky::schema::kinds
