// Spacing of tokens that are kept as they were spelled.
#ifndef THUNKY_PTX_RAW_TEXT_H_
#define THUNKY_PTX_RAW_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

namespace thunky::ptx {

// Appends `token` to `text`, whose last token is `previous` (empty: there is
// none), with a blank between them where the canonical spelling has one. Lexing
// the text again gives text that is spaced the same way.
void AppendToken(std::string_view previous, std::string_view token, std::string* text);

// All of `tokens`, spaced so.
std::string JoinTokens(const std::vector<std::string>& tokens);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_RAW_TEXT_H_
