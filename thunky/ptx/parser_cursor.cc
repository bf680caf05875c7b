#include "thunky/ptx/parser_cursor.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace thunky::ptx {
namespace {

constexpr size_t kMaxErrors = 20;
constexpr size_t kMaxShown = 40;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

bool StartsFunction(const Token& token) {
  constexpr std::string_view kStarts[] = {".visible", ".extern", ".weak", ".entry",
                                          ".func"};
  return token.kind == TokenKind::kDirective &&
         std::find(std::begin(kStarts), std::end(kStarts), token.text) !=
             std::end(kStarts);
}

std::string Escape(char c) {
  return absl::StrCat("\\x", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
}

}  // namespace

std::string AtLocation(SourceLocation location, std::string_view message) {
  return absl::StrCat("line ", location.line, ", column ", location.column, ": ",
                      View(message));
}

std::string Describe(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "end of file";
  std::string shown;
  for (const char c : token.text.substr(0, kMaxShown)) {
    const bool printable = c >= 0x20 && c < 0x7f;
    absl::StrAppend(&shown, printable ? std::string(1, c) : Escape(c));
  }
  return absl::StrCat("'", shown, token.text.size() > kMaxShown ? "...'" : "'");
}

Cursor::Cursor(std::string_view text) : lexer_(text) {
  tokens_[0] = Read();
  tokens_[1] = Read();
}

Token Cursor::Read() {
  while (!stopped_) {
    Token token = lexer_.Next();
    if (token.kind != TokenKind::kError) return token;
    Report(token.location, token.text.size() == 1
                               ? absl::StrCat(token.problem, " ", Describe(token))
                               : token.problem);
    truncated_ = lexer_.AtEnd();
  }
  return Token{};
}

Token Cursor::Take() {
  Token token = tokens_[0];
  tokens_[0] = tokens_[1];
  tokens_[1] = Read();
  if (stopped_) tokens_[0] = tokens_[1] = Token{};
  return token;
}

void Cursor::Stop() {
  stopped_ = true;
  tokens_[0] = tokens_[1] = Token{};
}

bool Cursor::At(std::string_view spelling) const {
  return Peek().kind != TokenKind::kString && Peek().text == spelling;
}

bool Cursor::TryTake(std::string_view spelling) {
  if (!At(spelling)) return false;
  Take();
  return true;
}

bool Cursor::Expect(std::string_view spelling) {
  if (TryTake(spelling)) return true;
  return Fail(std::string("'").append(spelling).append("'"));
}

bool Cursor::ExpectIdentifier(std::string_view what, std::string* name) {
  if (!At(TokenKind::kIdentifier)) return Fail(what);
  name->assign(Take().text);
  return true;
}

bool Cursor::Fail(std::string_view what) {
  const Token& token = Peek();
  if (!AtEnd()) {
    return FailAt(token.location,
                  absl::StrCat("expected ", View(what), ", found ", Describe(token)));
  }
  // After an unterminated comment the end is no news; and everything that is
  // still open would complain about the same end.
  if (!truncated_) {
    FailAt(token.location, absl::StrCat("unexpected end of file, expected ", View(what)));
  }
  Stop();
  return false;
}

bool Cursor::FailAt(SourceLocation location, std::string message) {
  Report(location, std::move(message));
  return false;
}

void Cursor::Report(SourceLocation location, std::string message) {
  if (stopped_) return;
  errors_.push_back({location, std::move(message)});
  if (errors_.size() >= kMaxErrors) Stop();
}

void Cursor::SkipStatement() {
  while (!AtEnd()) {
    if (TryTake(";")) return;
    if (At("{")) ++open_braces_;
    if (At("}") && open_braces_-- <= 0) return;
    Take();
  }
}

void Cursor::SkipModuleItem() {
  // Behind the braces of an initialiser there is still its `;`.
  const bool in_initializer = open_braces_ > 0;
  int depth = open_braces_;
  while (!AtEnd()) {
    const Token token = Take();
    if (token.text == "{") ++depth;
    if (token.text == "}" && --depth <= 0 && !in_initializer) return;
    if (depth > 0) continue;
    if (token.text == ";" || StartsFunction(Peek())) return;
  }
}

absl::Status Cursor::status() const {
  if (errors_.empty()) return absl::OkStatus();
  std::vector<const Error*> sorted;
  sorted.reserve(errors_.size());
  for (const Error& error : errors_) sorted.push_back(&error);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Error* a, const Error* b) {
    return std::tie(a->location.line, a->location.column) <
           std::tie(b->location.line, b->location.column);
  });
  std::string text;
  for (const Error* error : sorted) {
    if (!text.empty()) text += '\n';
    text += AtLocation(error->location, error->message);
  }
  return absl::InvalidArgumentError(text);
}

Nesting::Nesting(Cursor& cursor) : cursor_(cursor) {
  ok_ = ++cursor.depth_ <= kMaxNesting;
  if (ok_) return;
  cursor.FailAt(cursor.Peek().location,
                absl::StrCat("nested deeper than ", kMaxNesting, " levels"));
  cursor.Stop();
}

}  // namespace thunky::ptx
