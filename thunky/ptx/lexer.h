// Tokens of PTX text.
#ifndef THUNKY_PTX_LEXER_H_
#define THUNKY_PTX_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "thunky/ptx/ast.h"

namespace thunky::ptx {

enum class TokenKind : uint8_t {
  kEnd,
  kIdentifier,   // `foo`, `%r1`, `$L__BB0_1`, `_`
  kDirective,    // `.reg`, `.shared::cluster`, `.32x32b`
  kNumber,       // any spelling that starts like a number; may be malformed
  kString,       // with its quotes
  kPunctuation,  // one of `{ } [ ] ( ) < > , ; : @ = ? ...` or a two-character operator
  kError,        // `problem` says what; the lexer goes on behind it
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;          // points into the source
  const char* problem = nullptr;  // of kError, a literal
  SourceLocation location;

  // A directive that can start a statement or name a type: `.5` and `.1d` are
  // directives only as part of a dotted name.
  bool IsDirectiveName() const {
    return kind == TokenKind::kDirective && (text[1] < '0' || text[1] > '9');
  }
};

// Splits a text into tokens, one at a time: nothing is allocated, and a whole
// text takes time linear in its size. Comments, blanks and lines that start with
// `#` (line markers) are skipped. The text must outlive the tokens and be
// shorter than 4 GiB.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // kEnd at the end of the text, and forever after.
  Token Next();
  bool AtEnd() const { return at_ >= text_.size(); }

 private:
  SourceLocation Location(size_t at) const;
  bool SkipBlanks(Token* error);
  bool SkipComment(Token* error);
  void SkipLine();
  void NewLine(size_t at);
  Token Take(TokenKind kind, size_t end);
  Token Problem(const char* problem, size_t end);
  Token TakeString();
  Token TakeDirective();
  char At(size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  uint32_t line_ = 1;
  bool line_is_blank_ = true;  // nothing but blanks so far
};

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_LEXER_H_
