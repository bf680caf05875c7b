// Visits every message inside a message, and the checks that need it.
#ifndef THUNKY_CONTAINER_MESSAGE_WALK_H_
#define THUNKY_CONTAINER_MESSAGE_WALK_H_

#include <string>

#include "absl/status/status.h"
#include "google/protobuf/message.h"

namespace thunky {

// What keeps a message from being read back: a string field that is not UTF-8, or
// nesting beyond kMaxMessageDepth (proto_scan.h). InvalidArgument that begins with the
// path, such as "thunks[3].thunk_info.profile_annotation".
absl::Status CheckReadable(const google::protobuf::Message& message);

// Where the first message with fields that this build does not know is: its path and
// the number of the field, such as "hlo_module_with_config.config, field 14". Empty
// when there is none. Looks kMaxMessageDepth deep.
std::string FirstUnknownField(const google::protobuf::Message& message);

}  // namespace thunky

#endif  // THUNKY_CONTAINER_MESSAGE_WALK_H_
