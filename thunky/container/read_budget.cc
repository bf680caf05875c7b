#include "thunky/container/read_budget.h"

#include "absl/strings/str_cat.h"

namespace thunky {
namespace {

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

absl::Status ReadBudget::ChargeDecodedBytes(uint64_t bytes, std::string_view what) {
  if (bytes > limits_.max_decoded_bytes - decoded_bytes_) {
    return absl::ResourceExhaustedError(
        absl::StrCat(View(what), " takes ", bytes, " decoded bytes, and ",
                     limits_.max_decoded_bytes - decoded_bytes_,
                     " are left of the limit of ", limits_.max_decoded_bytes));
  }
  decoded_bytes_ += bytes;
  return absl::OkStatus();
}

absl::Status ReadBudget::ChargeMessageMemory(uint64_t bytes, std::string_view what) {
  // Cannot overflow: a limit beyond 2^56 is cut.
  constexpr uint64_t kMost = uint64_t{1} << 56;
  const uint64_t decoded = decoded_bytes_ < kMost ? decoded_bytes_ : kMost;
  const uint64_t allowed = kMemorySlack + kMemoryPerDecodedByte * decoded;
  const uint64_t left = allowed > message_memory_ ? allowed - message_memory_ : 0;
  if (bytes > left) {
    return absl::ResourceExhaustedError(absl::StrCat(
        View(what), " would take about ", bytes, " bytes of memory, and ", left,
        " are left of the ", allowed, " allowed for ", decoded_bytes_, " decoded bytes"));
  }
  message_memory_ += bytes;
  return absl::OkStatus();
}

}  // namespace thunky
