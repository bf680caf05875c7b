// What reading one file may cost. A file of a few bytes can ask for any amount of
// memory, so every reader asks here first.
#ifndef THUNKY_CONTAINER_READ_BUDGET_H_
#define THUNKY_CONTAINER_READ_BUDGET_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace thunky {

struct ReadLimits {
  // Bytes that may come out of decoding, summed over all levels of nesting: chunks
  // of the outer container, chunks of the inner one, and so on. A file that has more
  // bytes itself is refused unread.
  uint64_t max_decoded_bytes = uint64_t{256} << 20;
};

// One per file being read; not thread-safe.
class ReadBudget {
 public:
  // Parsed messages may take kMemorySlack, and kMemoryPerDecodedByte for each decoded
  // byte. Those of real executables take 2 to 8 bytes a byte, empty messages 40 and
  // more. Together with the decoded bytes themselves and what a decompressor needs,
  // reading a file stays below 64 MiB plus 70 times its decoded bytes.
  static constexpr uint64_t kMemorySlack = uint64_t{24} << 20;
  static constexpr uint64_t kMemoryPerDecodedByte = 24;

  explicit ReadBudget(const ReadLimits& limits = {}) : limits_(limits) {}

  // Takes `bytes` of the decoded bytes; call it before allocating them. `what` says
  // for the message what they are. ResourceExhausted when there are not as many.
  absl::Status ChargeDecodedBytes(uint64_t bytes, std::string_view what);

  // Takes `bytes` of the memory for parsed messages. ResourceExhausted when there
  // is not as much.
  absl::Status ChargeMessageMemory(uint64_t bytes, std::string_view what);

  uint64_t decoded_bytes() const { return decoded_bytes_; }
  uint64_t message_memory() const { return message_memory_; }

 private:
  ReadLimits limits_;
  uint64_t decoded_bytes_ = 0;
  uint64_t message_memory_ = 0;
};

}  // namespace thunky

#endif  // THUNKY_CONTAINER_READ_BUDGET_H_
