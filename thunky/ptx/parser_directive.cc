#include "thunky/ptx/parser_directive.h"

#include <string_view>
#include <utility>

namespace thunky::ptx {
namespace {

void TakeName(Cursor& cursor, ast::RawDirective* directive) {
  directive->location = cursor.Peek().location;
  directive->name.assign(cursor.Take().text);
}

void Keep(Cursor& cursor, std::vector<std::string>* tokens) {
  tokens->emplace_back(cursor.Take().text);
}

bool KeepExpected(Cursor& cursor, TokenKind kind, std::string_view what,
                  ast::RawDirective* directive) {
  if (!cursor.At(kind)) return cursor.Fail(what);
  Keep(cursor, &directive->tokens);
  return true;
}

bool KeepNumber(Cursor& cursor, std::string_view what, ast::RawDirective* directive) {
  return KeepExpected(cursor, TokenKind::kNumber, what, directive);
}

bool KeepPosition(Cursor& cursor, ast::RawDirective* directive) {
  return KeepNumber(cursor, "a file number", directive) &&
         KeepNumber(cursor, "a line number", directive) &&
         KeepNumber(cursor, "a column number", directive);
}

// `function_name LABEL [+ N]`
bool KeepFunctionName(Cursor& cursor, ast::RawDirective* directive) {
  if (!KeepExpected(cursor, TokenKind::kIdentifier, "a label", directive)) return false;
  if (!cursor.At("+")) return true;
  Keep(cursor, &directive->tokens);
  return KeepNumber(cursor, "an offset", directive);
}

// `.loc FILE LINE COLUMN [, function_name LABEL [+ N]] [, inlined_at FILE LINE COLUMN]`
bool ParseLoc(Cursor& cursor, ast::RawDirective* directive) {
  if (!KeepPosition(cursor, directive)) return false;
  while (cursor.At(",")) {
    Keep(cursor, &directive->tokens);
    const bool is_name = cursor.At("function_name");
    if (!is_name && !cursor.At("inlined_at")) {
      return cursor.Fail("'function_name' or 'inlined_at'");
    }
    Keep(cursor, &directive->tokens);
    const bool ok =
        is_name ? KeepFunctionName(cursor, directive) : KeepPosition(cursor, directive);
    if (!ok) return false;
  }
  return true;
}

// `.file N "name" [, TIMESTAMP, SIZE]`
bool ParseFile(Cursor& cursor, ast::RawDirective* directive) {
  if (!KeepNumber(cursor, "a file number", directive)) return false;
  if (!KeepExpected(cursor, TokenKind::kString, "a file name", directive)) return false;
  while (cursor.At(",")) {
    Keep(cursor, &directive->tokens);
    if (!KeepNumber(cursor, "a number", directive)) return false;
  }
  return true;
}

// `.pragma "text", "text";`
bool ParsePragma(Cursor& cursor, ast::RawDirective* directive) {
  while (true) {
    if (!KeepExpected(cursor, TokenKind::kString, "a string", directive)) return false;
    if (cursor.At(";")) break;
    if (!cursor.At(",")) return cursor.Fail("',' or ';'");
    Keep(cursor, &directive->tokens);
  }
  directive->semicolon = cursor.TryTake(";");
  return true;
}

// `{ ... }` with balanced braces inside. The cursor stands at the first one.
bool KeepBody(Cursor& cursor, ast::RawDirective* directive) {
  directive->braces = true;
  cursor.Take();
  for (int depth = 1; true;) {
    if (cursor.AtEnd()) return cursor.Fail("'}'");
    if (cursor.At("{")) ++depth;
    if (cursor.At("}") && --depth == 0) break;
    Keep(cursor, &directive->body);
  }
  const uint32_t line = cursor.Take().location.line;
  if (cursor.Peek().location.line == line) directive->semicolon = cursor.TryTake(";");
  return true;
}

// `.section NAME { ... }`: DWARF data.
bool ParseSection(Cursor& cursor, ast::RawDirective* directive) {
  while (cursor.At(TokenKind::kDirective) || cursor.At(TokenKind::kIdentifier) ||
         cursor.At(TokenKind::kString) || cursor.At(TokenKind::kNumber) ||
         cursor.At(",")) {
    Keep(cursor, &directive->tokens);
  }
  if (!cursor.At("{")) return cursor.Fail("'{'");
  return KeepBody(cursor, directive);
}

bool Opens(const Token& token) { return token.text == "(" || token.text == "["; }
bool Closes(const Token& token) { return token.text == ")" || token.text == "]"; }

bool ParseUnknown(Cursor& cursor, Scope scope, ast::RawDirective* directive) {
  uint32_t line = directive->location.line;
  int open = 0;
  bool comma = false;
  while (!cursor.AtEnd() && !cursor.At("}") && !cursor.At(";")) {
    const bool same_line = cursor.Peek().location.line == line;
    if (cursor.At("{") && (same_line || scope == Scope::kModule)) {
      return KeepBody(cursor, directive);
    }
    if (cursor.At("{") || (!same_line && open <= 0 && !comma)) return true;
    if (Opens(cursor.Peek())) ++open;
    if (Closes(cursor.Peek())) --open;
    comma = cursor.At(",");
    line = cursor.Peek().location.line;
    Keep(cursor, &directive->tokens);
  }
  const bool same_line = cursor.Peek().location.line == line;
  if (same_line || open > 0 || comma) directive->semicolon = cursor.TryTake(";");
  return true;
}

}  // namespace

bool ParseRawDirective(Cursor& cursor, Scope scope, ast::RawDirective* directive) {
  TakeName(cursor, directive);
  const std::string_view name = directive->name;
  if (name == ".loc") return ParseLoc(cursor, directive);
  if (name == ".file") return ParseFile(cursor, directive);
  if (name == ".pragma") return ParsePragma(cursor, directive);
  if (name == ".section") return ParseSection(cursor, directive);
  return ParseUnknown(cursor, scope, directive);
}

bool ParseHeaderDirective(Cursor& cursor, ast::RawDirective* directive) {
  TakeName(cursor, directive);
  if (directive->name == ".pragma") return ParsePragma(cursor, directive);
  int open = 0;
  while (!cursor.AtEnd() && !cursor.At("{") && !cursor.At("}") && !cursor.At(";")) {
    if (open <= 0 && cursor.Peek().IsDirectiveName()) break;
    if (Opens(cursor.Peek())) ++open;
    if (Closes(cursor.Peek())) --open;
    Keep(cursor, &directive->tokens);
  }
  return true;
}

}  // namespace thunky::ptx
