// Early return for absl::Status and absl::StatusOr.
#ifndef THUNKY_BASE_STATUS_MACROS_H_
#define THUNKY_BASE_STATUS_MACROS_H_

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace thunky {

// The same error with `where` and ": " before its message. `where` names the
// place in the user's input: a file, "thunks[3].while.body[2]", "allocation 4".
inline absl::Status Annotate(const absl::Status& status, std::string_view where) {
  if (status.ok()) return status;
  absl::Status result(status.code(),
                      absl::StrCat(absl::string_view(where.data(), where.size()), ": ",
                                   status.message()));
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
    result.SetPayload(url, payload);
  });
  return result;
}

}  // namespace thunky

#define THUNKY_CONCAT_INNER_(a, b) a##b
#define THUNKY_CONCAT_(a, b) THUNKY_CONCAT_INNER_(a, b)

#define RETURN_IF_ERROR(expr)                             \
  do {                                                    \
    if (::absl::Status status_ = (expr); !status_.ok()) { \
      return status_;                                     \
    }                                                     \
  } while (false)

// NOLINTBEGIN(bugprone-macro-parentheses): `lhs` may be a declaration.
#define ASSIGN_OR_RETURN(lhs, expr) \
  ASSIGN_OR_RETURN_IMPL_(THUNKY_CONCAT_(status_or_, __LINE__), lhs, expr)
#define ASSIGN_OR_RETURN_IMPL_(tmp, lhs, expr) \
  auto tmp = (expr);                           \
  if (!tmp.ok()) return tmp.status();          \
  lhs = std::move(*tmp)
// NOLINTEND(bugprone-macro-parentheses)

#endif  // THUNKY_BASE_STATUS_MACROS_H_
