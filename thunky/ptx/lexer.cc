#include "thunky/ptx/lexer.h"

#include <array>

namespace thunky::ptx {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsWord(char c) { return IsLetter(c) || IsDigit(c) || c == '_' || c == '$'; }
bool IsExponent(char c) { return c == 'e' || c == 'E'; }
bool IsSign(char c) { return c == '+' || c == '-'; }

// All functions below return the first position behind what they name, at most
// text.size().

size_t SkipWord(std::string_view text, size_t at) {
  while (at < text.size() && IsWord(text[at])) ++at;
  return at;
}

size_t SkipDigits(std::string_view text, size_t at) {
  while (at < text.size() && IsDigit(text[at])) ++at;
  return at;
}

// `0x`, `0b`, `0f` and `0d` literals have neither point nor exponent.
bool HasRadixPrefix(std::string_view number) {
  constexpr std::string_view kPrefixes = "xXbBfFdD";
  return number.size() > 1 && number[0] == '0' &&
         kPrefixes.find(number[1]) != std::string_view::npos;
}

// A number with everything glued to it, so that a malformed one is one token.
size_t SkipNumber(std::string_view text, size_t at) {
  if (HasRadixPrefix(text.substr(at))) return SkipWord(text, at);
  while (at < text.size()) {
    const char c = text[at];
    const bool signed_exponent =
        IsExponent(c) && at + 1 < text.size() && IsSign(text[at + 1]);
    if (!IsWord(c) && c != '.') break;
    at += signed_exponent ? 2 : 1;
  }
  return at;
}

// The end of a decimal fraction `.5`, `.5e-3` that starts at `at`, or `at` when
// what stands there is a dotted name.
size_t SkipFraction(std::string_view text, size_t at) {
  size_t end = SkipDigits(text, at + 1);
  if (end == at + 1) return at;
  if (end < text.size() && IsExponent(text[end])) {
    size_t exponent = end + 1;
    if (exponent < text.size() && IsSign(text[exponent])) ++exponent;
    const size_t last = SkipDigits(text, exponent);
    if (last == exponent) return at;
    end = last;
  }
  return end < text.size() && IsWord(text[end]) ? at : end;
}

// `.name`, with any number of `::name` behind it.
size_t SkipDottedName(std::string_view text, size_t at) {
  size_t end = SkipWord(text, at + 1);
  while (text.substr(end, 2) == "::") {
    const size_t next = SkipWord(text, end + 2);
    if (next == end + 2) break;
    end = next;
  }
  return end;
}

size_t PunctuationLength(std::string_view text) {
  constexpr std::array<std::string_view, 8> kPairs = {
      "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  constexpr std::string_view kSingles = "{}[]()<>,;:@!+-*/%&|^~?=";
  for (std::string_view pair : kPairs) {
    if (text.substr(0, 2) == pair) return 2;
  }
  return kSingles.find(text[0]) != std::string_view::npos ? 1 : 0;
}

}  // namespace

SourceLocation Lexer::Location(size_t at) const {
  return {line_, static_cast<uint32_t>(at - line_start_ + 1)};
}

void Lexer::NewLine(size_t at) {
  ++line_;
  line_start_ = at + 1;
  line_is_blank_ = true;
}

void Lexer::SkipLine() {
  while (at_ < text_.size() && text_[at_] != '\n') ++at_;
}

bool Lexer::SkipComment(Token* error) {
  const size_t start = at_;
  const SourceLocation location = Location(start);
  for (at_ += 2; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\n') NewLine(at_);
    if (text_.substr(at_, 2) == "*/") {
      at_ += 2;
      return true;
    }
  }
  *error =
      Token{TokenKind::kError, text_.substr(start, 2), "unterminated comment", location};
  return false;
}

bool Lexer::SkipBlanks(Token* error) {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      NewLine(at_++);
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if ((c == '#' && line_is_blank_) || (c == '/' && At(at_ + 1) == '/')) {
      SkipLine();
    } else if (c == '/' && At(at_ + 1) == '*') {
      if (!SkipComment(error)) return false;
    } else {
      return true;
    }
  }
  return true;
}

Token Lexer::Take(TokenKind kind, size_t end) {
  Token token{kind, text_.substr(at_, end - at_), nullptr, Location(at_)};
  at_ = end;
  line_is_blank_ = false;
  return token;
}

Token Lexer::Problem(const char* problem, size_t end) {
  Token token = Take(TokenKind::kError, end);
  token.problem = problem;
  return token;
}

Token Lexer::TakeString() {
  size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') {
    end += text_[end] == '\\' && At(end + 1) != '\n' ? 2 : 1;
  }
  if (end >= text_.size()) return Problem("unterminated string", text_.size());
  if (text_[end] == '\n') return Problem("unterminated string", end);
  return Take(TokenKind::kString, end + 1);
}

Token Lexer::TakeDirective() {
  const bool glued = at_ > 0 && IsWord(text_[at_ - 1]);
  if (!glued) {
    const size_t fraction = SkipFraction(text_, at_);
    if (fraction != at_) return Take(TokenKind::kNumber, fraction);
  }
  const size_t end = SkipDottedName(text_, at_);
  if (end == at_ + 1) return Problem("unexpected character", end);
  return Take(TokenKind::kDirective, end);
}

Token Lexer::Next() {
  Token error;
  if (!SkipBlanks(&error)) return error;
  if (at_ >= text_.size()) return Take(TokenKind::kEnd, text_.size());
  const char c = text_[at_];
  if (IsDigit(c)) return Take(TokenKind::kNumber, SkipNumber(text_, at_));
  if (IsWord(c)) return Take(TokenKind::kIdentifier, SkipWord(text_, at_));
  if (c == '%' && IsWord(At(at_ + 1))) {
    return Take(TokenKind::kIdentifier, SkipWord(text_, at_ + 1));
  }
  if (c == '.') return TakeDirective();
  if (c == '"') return TakeString();
  const size_t length = PunctuationLength(text_.substr(at_));
  if (length == 0) return Problem("unexpected character", at_ + 1);
  return Take(TokenKind::kPunctuation, at_ + length);
}

}  // namespace thunky::ptx
