// dynamic_slice_fusion: thunks on slices whose place is known only on the device.
#ifndef THUNKY_RUNTIME_THUNKS_DYNAMIC_SLICE_FUSION_THUNK_H_
#define THUNKY_RUNTIME_THUNKS_DYNAMIC_SLICE_FUSION_THUNK_H_

#include <memory>

#include "absl/status/statusor.h"
#include "proto/thunk.pb.h"
#include "thunky/runtime/decoder.h"
#include "thunky/runtime/thunk.h"

namespace thunky::runtime {

absl::StatusOr<std::unique_ptr<Thunk>> DecodeDynamicSliceFusion(
    const wire::ThunkProto& proto, ThunkInfo info, Decoder& decoder);

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_THUNKS_DYNAMIC_SLICE_FUSION_THUNK_H_
