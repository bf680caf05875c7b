#include "thunky/ptx/parser_declaration.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/ptx/parser_expression.h"
#include "thunky/ptx/raw_text.h"

namespace thunky::ptx {
namespace {

// What the variables of one declaration share is copied into each of them: this
// bounds it, and thereby memory per byte of text.
constexpr size_t kMaxSharedBytes = 256;

constexpr std::string_view kSpaces[] = {".reg",   ".sreg",  ".const",  ".global",
                                        ".local", ".param", ".shared", ".tex"};

bool IsOneOf(const Token& token, std::string_view a, std::string_view b,
             std::string_view c, std::string_view d) {
  return token.text == a || token.text == b || token.text == c || token.text == d;
}

bool IsVectorSize(std::string_view text) {
  return text.size() > 2 && text.substr(0, 2) == ".v" &&
         text.find_first_not_of("0123456789", 2) == std::string_view::npos;
}

// The state space, with the bank of the old `.const[2]`.
bool ParseSpace(Cursor& cursor, ast::Variable* variable) {
  if (!IsStateSpace(cursor.Peek())) return cursor.Fail("a state space");
  variable->space.assign(cursor.Take().text);
  if (!cursor.TryTake("[")) return true;
  if (!cursor.At(TokenKind::kNumber)) return cursor.Fail("the number of a bank");
  absl::StrAppend(&variable->space, "[", std::string(cursor.Take().text), "]");
  return cursor.Expect("]");
}

bool ParseAlignment(Cursor& cursor, std::optional<uint64_t>* alignment) {
  cursor.Take();
  return ParseInteger(cursor, "an alignment", &alignment->emplace());
}

// `[.space] [.align N]` behind `.ptr`.
bool ParsePointer(Cursor& cursor, ast::Variable* variable) {
  cursor.Take();
  ast::Variable::Pointer& pointer = variable->pointer.emplace();
  if (IsStateSpace(cursor.Peek())) pointer.space.assign(cursor.Take().text);
  return !cursor.At(".align") || ParseAlignment(cursor, &pointer.alignment);
}

// Everything up to the name.
bool ParsePrefix(Cursor& cursor, ast::Variable* variable) {
  variable->location = cursor.Peek().location;
  if (!ParseSpace(cursor, variable)) return false;
  if (!ParseAttributes(cursor, &variable->attributes)) return false;
  if (cursor.At(".align") && !ParseAlignment(cursor, &variable->alignment)) return false;
  if (cursor.At(TokenKind::kDirective) && IsVectorSize(cursor.Peek().text)) {
    variable->vector.assign(cursor.Take().text);
  }
  if (!cursor.Peek().IsDirectiveName()) return cursor.Fail("a type");
  variable->type.assign(cursor.Take().text);
  return !cursor.At(".ptr") || ParsePointer(cursor, variable);
}

bool ParseDimension(Cursor& cursor, ast::Variable* variable) {
  cursor.Take();
  std::optional<ast::Expr>& dim = variable->dims.emplace_back();
  if (cursor.TryTake("]")) return true;
  return ParseConstant(cursor, &dim.emplace()) && cursor.Expect("]");
}

// The name and what follows it: `name<4>`, `name[2][3]`, `name = value`.
bool ParseDeclarator(Cursor& cursor, ast::Variable* variable) {
  variable->location = cursor.Peek().location;
  if (!cursor.ExpectIdentifier("a variable name", &variable->name)) return false;
  if (cursor.TryTake("<")) {
    const bool ok = ParseInteger(cursor, "a register count", &variable->count.emplace());
    if (!ok || !cursor.Expect(">")) return false;
  }
  while (cursor.At("[")) {
    if (!ParseDimension(cursor, variable)) return false;
  }
  if (!cursor.TryTake("=")) return true;
  return ParseInitializer(cursor, &variable->initializer.emplace());
}

size_t SharedBytes(const ast::Variable& variable) {
  size_t bytes = variable.space.size() + variable.vector.size() + variable.type.size();
  for (const std::string& text : variable.linkage) bytes += text.size();
  for (const std::string& text : variable.attributes) bytes += text.size();
  return bytes;
}

}  // namespace

bool IsStateSpace(const Token& token) {
  return token.kind == TokenKind::kDirective &&
         std::find(std::begin(kSpaces), std::end(kSpaces), token.text) !=
             std::end(kSpaces);
}

std::vector<std::string> TakeLinkage(Cursor& cursor) {
  std::vector<std::string> linkage;
  while (IsOneOf(cursor.Peek(), ".visible", ".extern", ".weak", ".common")) {
    linkage.emplace_back(cursor.Take().text);
  }
  return linkage;
}

bool ParseAttributes(Cursor& cursor, std::vector<std::string>* attributes) {
  while (cursor.At(".attribute")) {
    std::vector<std::string> tokens;
    tokens.emplace_back(cursor.Take().text);
    if (!cursor.At("(")) return cursor.Fail("'('");
    int depth = 0;
    do {
      if (cursor.AtEnd() || cursor.At(";") || cursor.At("{")) return cursor.Fail("')'");
      if (cursor.At("(")) ++depth;
      if (cursor.At(")")) --depth;
      tokens.emplace_back(cursor.Take().text);
    } while (depth > 0);
    attributes->push_back(JoinTokens(tokens));
  }
  return true;
}

bool ParseVariables(Cursor& cursor, std::vector<std::string> linkage,
                    std::vector<ast::Variable>* variables) {
  ast::Variable prefix;
  prefix.linkage = std::move(linkage);
  if (!ParsePrefix(cursor, &prefix)) return false;
  const size_t shared_bytes = SharedBytes(prefix);
  while (true) {
    ast::Variable& variable = variables->emplace_back(prefix);
    if (!ParseDeclarator(cursor, &variable)) return false;
    if (cursor.TryTake(";")) return true;
    if (!cursor.At(",")) return cursor.Fail("',' or ';'");
    if (shared_bytes > kMaxSharedBytes) {
      return cursor.FailAt(variable.location,
                           absl::StrCat("a declaration of several variables shares at "
                                        "most ",
                                        kMaxSharedBytes, " characters"));
    }
    cursor.Take();
  }
}

bool ParseParameters(Cursor& cursor, std::vector<ast::Variable>* parameters) {
  if (!cursor.Expect("(")) return false;
  if (cursor.TryTake(")")) return true;
  while (true) {
    ast::Variable& parameter = parameters->emplace_back();
    if (!ParsePrefix(cursor, &parameter)) return false;
    if (!ParseDeclarator(cursor, &parameter)) return false;
    if (cursor.TryTake(")")) return true;
    if (!cursor.TryTake(",")) return cursor.Fail("',' or ')'");
  }
}

}  // namespace thunky::ptx
