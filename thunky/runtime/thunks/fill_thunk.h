// memzero and memset32.
#ifndef THUNKY_RUNTIME_THUNKS_FILL_THUNK_H_
#define THUNKY_RUNTIME_THUNKS_FILL_THUNK_H_

#include <memory>

#include "absl/status/statusor.h"
#include "proto/thunk.pb.h"
#include "thunky/runtime/decoder.h"
#include "thunky/runtime/thunk.h"

namespace thunky::runtime {

absl::StatusOr<std::unique_ptr<Thunk>> DecodeMemzero(const wire::ThunkProto& proto,
                                                     ThunkInfo info, Decoder& decoder);
absl::StatusOr<std::unique_ptr<Thunk>> DecodeMemset32(const wire::ThunkProto& proto,
                                                      ThunkInfo info, Decoder& decoder);

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_THUNKS_FILL_THUNK_H_
