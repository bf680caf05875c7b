#include "thunky/ptx/raw_text.h"

namespace thunky::ptx {
namespace {

bool Contains(std::string_view set, std::string_view token) {
  return token.size() == 1 && set.find(token[0]) != std::string_view::npos;
}

}  // namespace

void AppendToken(std::string_view previous, std::string_view token, std::string* text) {
  // `.b8 1, -1`, but `label+4`.
  const bool is_sign = !previous.empty() && (previous[0] == '.' || previous == ",");
  const bool tight = previous.empty() || Contains("([+-", previous) ||
                     Contains(",;:)]([", token) || (!is_sign && Contains("+-", token));
  if (!tight) *text += ' ';
  text->append(token);
}

std::string JoinTokens(const std::vector<std::string>& tokens) {
  std::string text;
  std::string_view previous;
  for (const std::string& token : tokens) {
    AppendToken(previous, token, &text);
    previous = token;
  }
  return text;
}

}  // namespace thunky::ptx
