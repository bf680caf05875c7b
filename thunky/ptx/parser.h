// Text to syntax tree.
#ifndef THUNKY_PTX_PARSER_H_
#define THUNKY_PTX_PARSER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"

namespace thunky::ptx {

// The newest `.version` this build was written against.
inline constexpr int kNewestMajor = 9;
inline constexpr int kNewestMinor = 3;

// Parses a whole module. Unknown instructions and directives parse; they are
// reported by LowerEntry. Nesting, in which a parenthesis and an operator are a
// level each, is limited to 256 levels and the text to 256 MiB, so that no input
// exhausts the stack; memory is in proportion to the text, whatever counts and
// dimensions say.
//
// Errors are InvalidArgument: "line L, column C: expected X, found Y", or "...:
// unexpected end of file, expected X" for a truncated text. The parser goes on
// behind a broken statement: the message has a line for each error, at most 20, in
// source order. An empty text, a text without `.version`, and one that is not PTX
// at all (NUL bytes, an ELF or fat binary header) are named as such; a `.version`
// newer than kNewestMajor.kNewestMinor is Unimplemented and names both versions.
absl::StatusOr<ast::Module> ParseModule(std::string_view text);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PARSER_H_
