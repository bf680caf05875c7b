#include "thunky/api/error.h"

namespace thunky {
namespace {

std::string WithPlace(const std::string& message, const std::source_location& where) {
  if (where.line() == 0) return message;
  return std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " +
         message;
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
    case ErrorCode::internal:
      return "internal error";
  }
  return "unknown error";
}

Error::Error(ErrorCode code, const std::string& message,
             const std::source_location& where)
    : std::runtime_error(WithPlace(message, where)),
      code_(code),
      message_(message),
      where_(where) {}

// Here, so that the type has one home among shared libraries.
Error::~Error() = default;

}  // namespace thunky
