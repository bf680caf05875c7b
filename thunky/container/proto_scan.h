// Serialized protobuf messages from files: looked over first, then parsed.
#ifndef THUNKY_CONTAINER_PROTO_SCAN_H_
#define THUNKY_CONTAINER_PROTO_SCAN_H_

#include <string_view>

#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "thunky/container/message_cost.h"
#include "thunky/container/read_budget.h"

namespace thunky {

// One per file being read. The scan walks the wire format with the schema at hand,
// without allocating: it checks lengths, wire types, depth (kMaxMessageDepth) and
// UTF-8, and charges what the parsed message will take to the budget.
//
// Measured with 100 MB of empty thunks (2 bytes each, some 100 in memory), of empty HLO
// instructions, of empty strings and of unknown fields: refused with a peak of the
// input alone; the most that is accepted of each stays below the bound that
// read_budget.h states (container/memory_test.cc).
class ProtoScanner {
 public:
  explicit ProtoScanner(ReadBudget& budget) : budget_(budget) {}

  // Scans `bytes` and merges them into `message`, a generated one, which is left as
  // it was when the scan finds an error. InvalidArgument says at which byte and in
  // which field; ResourceExhausted when the budget does not suffice.
  absl::Status Merge(std::string_view bytes, google::protobuf::Message& message);

  ReadBudget& budget() { return budget_; }
  MessageShapes& shapes() { return shapes_; }

 private:
  ReadBudget& budget_;
  MessageShapes shapes_;
};

}  // namespace thunky

#endif  // THUNKY_CONTAINER_PROTO_SCAN_H_
