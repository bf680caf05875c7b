// Values of number and string literals.
#ifndef THUNKY_PTX_PARSER_LITERAL_H_
#define THUNKY_PTX_PARSER_LITERAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "thunky/ptx/ast.h"

namespace thunky::ptx {

// Fills `expr` (kInteger or kFloat; the location is left alone) from a number as
// the lexer cuts it. InvalidArgument: "malformed number", "0f takes 8
// hexadecimal digits", "integer does not fit 64 bits".
absl::Status ParseNumber(std::string_view text, ast::Expr* expr);

// A decimal number without sign, suffix or leading zeros' meaning, at most
// `limit`: version parts.
std::optional<int> ParseSmallDecimal(std::string_view text, int limit);

// The text of a string literal: without quotes, C escapes resolved. An escape
// that C does not know stays as it is.
std::string UnescapeString(std::string_view quoted);
// The inverse.
std::string QuoteString(std::string_view text);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PARSER_LITERAL_H_
