// custom_call: a call of a handler registered under a target name.
#ifndef THUNKY_RUNTIME_THUNKS_CUSTOM_CALL_THUNK_H_
#define THUNKY_RUNTIME_THUNKS_CUSTOM_CALL_THUNK_H_

#include <memory>

#include "absl/status/statusor.h"
#include "proto/thunk.pb.h"
#include "thunky/runtime/decoder.h"
#include "thunky/runtime/thunk.h"

namespace thunky::runtime {

// This build registers no handlers: every target is reported as missing.
absl::StatusOr<std::unique_ptr<Thunk>> DecodeCustomCall(const wire::ThunkProto& proto,
                                                        ThunkInfo info, Decoder& decoder);

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_THUNKS_CUSTOM_CALL_THUNK_H_
