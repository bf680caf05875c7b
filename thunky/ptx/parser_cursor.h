// Where the parser stands in the text, and what it has complained about.
#ifndef THUNKY_PTX_PARSER_CURSOR_H_
#define THUNKY_PTX_PARSER_CURSOR_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/lexer.h"

namespace thunky::ptx {

// Deepest nesting of blocks, brackets and operators, and the greatest height of
// an expression tree.
inline constexpr int kMaxNesting = 256;

// Two tokens of look-ahead over a lexer, and the list of errors. The parsing
// functions return false after they have reported an error here.
class Cursor {
 public:
  explicit Cursor(std::string_view text);

  const Token& Peek() const { return tokens_[0]; }
  const Token& PeekNext() const { return tokens_[1]; }
  Token Take();

  bool AtEnd() const { return Peek().kind == TokenKind::kEnd; }
  bool At(TokenKind kind) const { return Peek().kind == kind; }
  // Whether the next token, not a string, is spelled so.
  bool At(std::string_view spelling) const;
  // Takes the next token when it is spelled so.
  bool TryTake(std::string_view spelling);
  // As TryTake, with an error when it is something else.
  bool Expect(std::string_view spelling);
  bool ExpectIdentifier(std::string_view what, std::string* name);

  // Reports "expected `what`, found ..." at the next token; returns false.
  bool Fail(std::string_view what);
  // Reports `message` at `location`; returns false.
  bool FailAt(SourceLocation location, std::string message);

  // Marks the beginning of a statement, from which SkipStatement counts braces.
  void BeginStatement() { open_braces_ = 0; }
  void OpenBrace() { ++open_braces_; }
  void CloseBrace() { --open_braces_; }
  // Moves behind the next `;`, or in front of the `}` that ends the block.
  void SkipStatement();
  // Moves behind the next `;` or `{ ... }`, or in front of the next function.
  void SkipModuleItem();

  // Ok, or InvalidArgument with the errors in source order, a line each.
  absl::Status status() const;

 private:
  friend class Nesting;
  struct Error {
    SourceLocation location;
    std::string message;
  };
  Token Read();
  void Stop();
  void Report(SourceLocation location, std::string message);

  Lexer lexer_;
  Token tokens_[2];
  std::vector<Error> errors_;
  bool stopped_ = false;    // no more tokens and errors
  bool truncated_ = false;  // an error token reached up to the end
  int open_braces_ = 0;
  int depth_ = 0;
};

// Counts one level of nesting while it lives.
class Nesting {
 public:
  // Beyond kMaxNesting levels, reports it and stops the cursor.
  explicit Nesting(Cursor& cursor);
  ~Nesting() { --cursor_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  bool ok() const { return ok_; }

 private:
  Cursor& cursor_;
  bool ok_;
};

// "line 3, column 7: `message`"
std::string AtLocation(SourceLocation location, std::string_view message);

// How an error message shows a token: quoted, shortened, no control characters.
std::string Describe(const Token& token);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PARSER_CURSOR_H_
