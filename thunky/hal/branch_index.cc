#include "thunky/hal/branch_index.h"

#include <cstring>

#include "absl/strings/str_cat.h"

namespace thunky::hal {

absl::Status CheckBranchIndex(uint64_t index_size, size_t branches) {
  if (branches == 0) return absl::InvalidArgumentError("no branches");
  if (index_size == 1 || index_size == 4) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("a branch index has 1 or 4 bytes, this one has ", index_size));
}

absl::StatusOr<size_t> ChooseBranch(const void* bytes, uint64_t index_size,
                                    size_t branches) {
  if (index_size == 4) {
    int32_t value = 0;
    std::memcpy(&value, bytes, sizeof(value));
    const bool in_range = value >= 0 && static_cast<size_t>(value) < branches;
    return in_range ? static_cast<size_t>(value) : branches - 1;
  }
  const size_t chosen = *static_cast<const uint8_t*>(bytes) != 0 ? 0 : 1;
  if (chosen < branches) return chosen;
  return absl::InvalidArgumentError("a bool index needs two branches");
}

}  // namespace thunky::hal
