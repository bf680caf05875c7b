// Looking through the thunk in a call_thunk_proto.
#ifndef THUNKY_COMPILER_DIALECT_PAYLOAD_H_
#define THUNKY_COMPILER_DIALECT_PAYLOAD_H_

#include <vector>

#include "google/protobuf/message.h"
#include "proto/thunk.pb.h"

namespace thunky::compiler {

// Every slice in the payload that counts in the executable's allocations, in the order
// of the fields. Slices of thunks embedded in a dynamic_slice_fusion count in its own
// and are left out. Points into the thunk.
std::vector<wire::BufferAllocationSliceProto*> slicesOf(wire::ThunkProto& thunk);

// Every kernel in the payload and in the thunks embedded in it, in order.
std::vector<wire::KernelLoaderSpecProto*> kernelsOf(wire::ThunkProto& thunk);

// Every thunk embedded in the payload, at any depth, in order; not itself.
std::vector<wire::ThunkProto*> embeddedThunksOf(wire::ThunkProto& thunk);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_PAYLOAD_H_
