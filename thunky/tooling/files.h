// Whole files in and out.
#ifndef THUNKY_TOOLING_FILES_H_
#define THUNKY_TOOLING_FILES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace thunky::tooling {

// Files larger than this are not read: 16 GiB.
inline constexpr uint64_t kMaxFileBytes = uint64_t{16} << 30;

// Errors begin with the path. NotFound, PermissionDenied and so on as the system
// says; InvalidArgument for a folder; ResourceExhausted for more than `max_bytes`
// (endless files such as devices included).
absl::StatusOr<std::vector<uint8_t>> ReadFile(const std::string& path,
                                              uint64_t max_bytes = kMaxFileBytes);

// Writes by way of a temporary file beside `path` and a rename, so that `path`
// holds all of the bytes or what it held before. What is no regular file (a
// pipe, a device) is written to directly.
absl::Status WriteFile(const std::string& path, absl::Span<const uint8_t> bytes);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_FILES_H_
