// From absl::Status, which other layers use, to the exception of the interface. Not
// public.
#ifndef THUNKY_FRONTEND_STATUS_H_
#define THUNKY_FRONTEND_STATUS_H_

#include <string>

#include "absl/status/status.h"
#include "thunky/api/error.h"

namespace thunky::frontend {

// Throws a status that is not ok. `name`, where there is one, comes first in the message.
[[noreturn]] void fail(const absl::Status& status, const std::string& name,
                       const SourceLocation& where);

}  // namespace thunky::frontend

#endif  // THUNKY_FRONTEND_STATUS_H_
