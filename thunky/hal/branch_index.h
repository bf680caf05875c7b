// Which branch an index in device memory chooses: one rule for every recorder.
#ifndef THUNKY_HAL_BRANCH_INDEX_H_
#define THUNKY_HAL_BRANCH_INDEX_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace thunky::hal {

// InvalidArgument unless there is a branch and the index has 1 byte (a bool) or 4 (an
// i32).
absl::Status CheckBranchIndex(uint64_t index_size, size_t branches);

// The number of the branch. `bytes` are those of an index that was checked: of a bool,
// true is branch 0; an i32 out of range is the last branch. InvalidArgument for a bool
// that chooses a branch which is not there.
absl::StatusOr<size_t> ChooseBranch(const void* bytes, uint64_t index_size,
                                    size_t branches);

}  // namespace thunky::hal

#endif  // THUNKY_HAL_BRANCH_INDEX_H_
