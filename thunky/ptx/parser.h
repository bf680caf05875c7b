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
// reported by LowerEntry. Nesting is limited to 256 levels and the text to
// 256 MiB, so that no input exhausts the stack. Errors are InvalidArgument:
// "line L, column C: expected X, found Y"; an empty text, a text without
// `.version`, and one that is not PTX at all (NUL bytes, an ELF header) are
// named as such; a `.version` newer than kNewestMajor.kNewestMinor is
// Unimplemented and names both versions.
absl::StatusOr<ast::Module> ParseModule(std::string_view text);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PARSER_H_
