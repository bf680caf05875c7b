// What a call of the interface throws, for tests.
#ifndef THUNKY_FRONTEND_EXPECT_ERROR_H_
#define THUNKY_FRONTEND_EXPECT_ERROR_H_

#include <optional>
#include <source_location>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/api/error.h"

namespace thunky {

// The Error that `function` throws; nothing when it throws none.
template <typename F>
std::optional<Error> error_of(F&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

// Whether `error` has that code, that text somewhere in its message, and names `here` as
// its place.
inline testing::AssertionResult is_error(const std::optional<Error>& error,
                                         ErrorCode code, const std::string& text,
                                         const std::source_location& here) {
  if (!error) return testing::AssertionFailure() << "nothing was thrown";
  const SourceLocation place = here;
  if (error->code() == code && error->message().find(text) != std::string::npos &&
      error->where().to_string() == place.to_string()) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << "\n   found: " << to_string(error->code()) << ": " << error->what()
         << "\nexpected: " << to_string(code) << ": " << place.to_string() << ": ..."
         << text << "...";
}

}  // namespace thunky

// `statement` throws an Error of that code, with that text in its message, whose place is
// here.
#define EXPECT_ERROR(statement, code, text)                                         \
  EXPECT_TRUE(                                                                      \
      ::thunky::is_error(::thunky::error_of([&] { static_cast<void>(statement); }), \
                         code, text, std::source_location::current()))
#define EXPECT_INVALID(statement, text) \
  EXPECT_ERROR(statement, ::thunky::ErrorCode::invalid_argument, text)

#endif  // THUNKY_FRONTEND_EXPECT_ERROR_H_
