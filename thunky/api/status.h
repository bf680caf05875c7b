// From absl::Status, which everything below uses, to the exception of the interface.
#ifndef THUNKY_API_STATUS_H_
#define THUNKY_API_STATUS_H_

#include <source_location>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/api/error.h"

namespace thunky::api {

// The code for a status that is not ok.
ErrorCode CodeOf(const absl::Status& status);

// The Error for a status that is not ok; `where` is the call of the interface.
Error ErrorOf(const absl::Status& status, const SourceLocation& where);

inline void ThrowIfError(const absl::Status& status, const std::source_location& where) {
  if (!status.ok()) throw ErrorOf(status, where);
}

template <typename T>
T ValueOrThrow(absl::StatusOr<T> value, const std::source_location& where) {
  if (!value.ok()) throw ErrorOf(value.status(), where);
  return *std::move(value);
}

}  // namespace thunky::api

#endif  // THUNKY_API_STATUS_H_
