// Protobuf messages in text form.
#ifndef THUNKY_CONTAINER_TEXT_PROTO_H_
#define THUNKY_CONTAINER_TEXT_PROTO_H_

#include <string_view>

#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "thunky/container/message_cost.h"
#include "thunky/container/read_budget.h"

namespace thunky {

// Parses `text` into `message`, a generated one. Before that, what the message will
// take is charged to the budget and the nesting is checked (kMaxMessageDepth).
// InvalidArgument with "LINE:COLUMN: " (from 1) before the reason.
absl::Status ParseTextProto(std::string_view text, MessageShapes& shapes,
                            ReadBudget& budget, google::protobuf::Message& message);

}  // namespace thunky

#endif  // THUNKY_CONTAINER_TEXT_PROTO_H_
