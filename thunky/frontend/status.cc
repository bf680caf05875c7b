#include "thunky/frontend/status.h"

#include "thunky/api/status.h"

namespace thunky::frontend {

void fail(const absl::Status& status, const std::string& name,
          const SourceLocation& where) {
  const std::string message(status.message());
  throw Error(api::CodeOf(status), name.empty() ? message : name + ": " + message, where);
}

}  // namespace thunky::frontend
