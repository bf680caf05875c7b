// Arrays in .npy files.
#ifndef THUNKY_API_ARRAY_FILES_H_
#define THUNKY_API_ARRAY_FILES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/api/element_type.h"

namespace thunky::api {

struct NpyContent {
  Type type;
  std::vector<uint8_t> bytes;  // row-major
};

// Errors begin with the path. With `expected` the file must hold exactly that; without,
// its own element type must be one that files name.
absl::StatusOr<NpyContent> ReadNpy(const std::string& path,
                                   const std::optional<Type>& expected);

// `bytes` are those of an array of `type`. Errors begin with the path.
absl::Status WriteNpy(const std::string& path, const Type& type,
                      absl::Span<const uint8_t> bytes);

}  // namespace thunky::api

#endif  // THUNKY_API_ARRAY_FILES_H_
