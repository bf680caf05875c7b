#include "thunky/compiler/translate/access_modes.h"

#include "proto/thunk.pb.h"
#include "thunky/schema/kinds.h"

namespace thunky::compiler {
namespace {

wire::AccessModeProto protoOf(schema::AccessMode mode) {
  switch (mode) {
    case schema::AccessMode::kRead:
      return wire::ACCESS_MODE_READ;
    case schema::AccessMode::kWrite:
      return wire::ACCESS_MODE_WRITE;
    case schema::AccessMode::kReadWrite:
      return wire::ACCESS_MODE_READ_WRITE;
    case schema::AccessMode::kWriteAll:
      return wire::ACCESS_MODE_WRITE_ALL;
  }
  return wire::ACCESS_MODE_UNSPECIFIED;
}

}  // namespace

void dropImpliedAccess(wire::CustomKernelThunkProto& launch) {
  if (launch.thunky_access().empty()) return;
  // Only arguments and flags decide.
  wire::ThunkProto thunk;
  wire::CustomKernelThunkProto& flags = *thunk.mutable_custom_kernel_thunk();
  *flags.mutable_written() = launch.written();
  for (const wire::ShapedSliceProto& argument : launch.args()) {
    *flags.add_args()->mutable_slice() = argument.slice();
  }
  const std::vector<schema::Access> implied =
      schema::AccessesOf(schema::ThunkKind::kCustomKernel, thunk);
  if (implied.size() != static_cast<size_t>(launch.thunky_access_size())) return;
  for (int i = 0; i < launch.thunky_access_size(); ++i) {
    if (protoOf(implied[i].mode) != launch.thunky_access(i)) return;
  }
  launch.clear_thunky_access();
}

}  // namespace thunky::compiler
