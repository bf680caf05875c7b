// The one exception of the public interface.
#ifndef THUNKY_API_ERROR_H_
#define THUNKY_API_ERROR_H_

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "thunky/api/visibility.h"

namespace thunky {

// What kind of failure it is. docs/errors.md says which is used when.
enum class ErrorCode : uint8_t {
  invalid_argument,     // what was passed is wrong, and always will be
  not_found,            // a file, or a name in one
  failed_precondition,  // right in itself, but not now or not here
  unimplemented,        // this build or this device cannot do it
  resource_exhausted,   // memory, or a limit that can be raised
  cancelled,            // somebody asked for it
  deadline_exceeded,    // the time that was allowed is over
  data_loss,            // a file that is damaged
  kernel_fault,         // a kernel left its memory, trapped or failed an assert
  internal,             // a fault of thunky or of the device
};

// "invalid argument", "not found"...
THUNKY_API std::string_view to_string(ErrorCode code);

// A place in the code that uses thunky.
struct THUNKY_API SourceLocation {
  std::string file;   // empty: unknown
  uint32_t line = 0;  // 0: unknown
  uint32_t column = 0;
  std::string function;

  SourceLocation() = default;
  SourceLocation(std::string file, uint32_t line, uint32_t column = 0)
      : file(std::move(file)), line(line), column(column) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  SourceLocation(const std::source_location& where)
      : file(where.file_name()),
        line(where.line()),
        column(where.column()),
        function(where.function_name()) {}

  // "app.cc:12"; empty when the line is unknown.
  std::string to_string() const;
};

// Thrown by every function of the interface that can fail. Destructors never throw.
class THUNKY_API Error : public std::runtime_error {
 public:
  // `where` is the call that failed, in the code that uses thunky.
  Error(ErrorCode code, const std::string& message,
        SourceLocation where = std::source_location::current());
  ~Error() override;

  // "app.cc:12: copy: source has 16 bytes and destination 8; a copy needs equal sizes"
  using std::runtime_error::what;
  ErrorCode code() const noexcept { return code_; }
  // The same without the place. More than one line where there is more to say: the first
  // one says what was expected and what was found.
  const std::string& message() const noexcept { return message_; }
  const SourceLocation& where() const noexcept { return where_; }

 private:
  ErrorCode code_;
  std::string message_;
  SourceLocation where_;
};

}  // namespace thunky

#endif  // THUNKY_API_ERROR_H_
