#include "thunky/api/error.h"

#include <utility>

namespace thunky {
namespace {

std::string with_place(const SourceLocation& where, const std::string& message) {
  const std::string place = where.to_string();
  return place.empty() ? message : place + ": " + message;
}

}  // namespace

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid argument";
    case ErrorCode::not_found:
      return "not found";
    case ErrorCode::failed_precondition:
      return "failed precondition";
    case ErrorCode::unimplemented:
      return "not supported";
    case ErrorCode::resource_exhausted:
      return "resource exhausted";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::deadline_exceeded:
      return "deadline exceeded";
    case ErrorCode::data_loss:
      return "data loss";
    case ErrorCode::kernel_fault:
      return "kernel fault";
    case ErrorCode::internal:
      return "internal error";
  }
  return "unknown error";
}

std::string SourceLocation::to_string() const {
  return line == 0 ? "" : file + ":" + std::to_string(line);
}

Error::Error(ErrorCode code, const std::string& message, SourceLocation where)
    : std::runtime_error(with_place(where, message)),
      code_(code),
      message_(message),
      where_(std::move(where)) {}

// Here, so that the type has one home among shared libraries.
Error::~Error() = default;

}  // namespace thunky
