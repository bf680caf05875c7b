#include "thunky/api/status.h"

#include <string>

namespace thunky::api {

ErrorCode CodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      return ErrorCode::invalid_argument;
    case absl::StatusCode::kNotFound:
      return ErrorCode::not_found;
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kAlreadyExists:
      return ErrorCode::failed_precondition;
    case absl::StatusCode::kUnimplemented:
      return ErrorCode::unimplemented;
    case absl::StatusCode::kResourceExhausted:
      return ErrorCode::resource_exhausted;
    case absl::StatusCode::kCancelled:
      return ErrorCode::cancelled;
    case absl::StatusCode::kDeadlineExceeded:
      return ErrorCode::deadline_exceeded;
    case absl::StatusCode::kDataLoss:
      return ErrorCode::data_loss;
    // docs/errors.md: what kernels do.
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kAborted:
      return ErrorCode::kernel_fault;
    default:
      return ErrorCode::internal;
  }
}

Error ErrorOf(const absl::Status& status, const SourceLocation& where) {
  return Error(CodeOf(status), std::string(status.message()), where);
}

}  // namespace thunky::api
