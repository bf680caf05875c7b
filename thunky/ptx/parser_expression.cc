#include "thunky/ptx/parser_expression.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/ptx/operators.h"
#include "thunky/ptx/parser_literal.h"

namespace thunky::ptx {
namespace {

using Kind = ast::Expr::Kind;

// An expression with the height of its tree. A chain such as a+b+c+... makes a
// high tree without nesting in the text, and everything that walks or destroys a
// tree recurses: so the height is limited, not only the nesting.
struct Node {
  ast::Expr expr;
  int height = 1;
};

enum class Braces { kOperand, kInitializer };

bool ParseExpression(Cursor& cursor, Node* node);
bool ParseUnary(Cursor& cursor, Node* node);
bool ParseBraces(Cursor& cursor, Braces braces, Node* node);

Node MakeNode(Kind kind, std::string_view text, SourceLocation location) {
  Node node;
  node.expr.kind = kind;
  node.expr.text.assign(text);
  node.expr.location = location;
  return node;
}

bool Attach(Cursor& cursor, Node child, Node* parent) {
  parent->height = std::max(parent->height, child.height + 1);
  if (parent->height > kMaxNesting) {
    return cursor.FailAt(
        child.expr.location,
        absl::StrCat("expression nested deeper than ", kMaxNesting, " levels"));
  }
  parent->expr.args.push_back(std::move(child.expr));
  return true;
}

using ElementParser = bool (*)(Cursor&, Node*);

// `open a, b, ... close`, possibly empty. The cursor stands at `open`.
bool ParseList(Cursor& cursor, std::string_view close, ElementParser element,
               Node* node) {
  Nesting nesting(cursor);
  if (!nesting.ok()) return false;
  node->expr.location = cursor.Take().location;
  if (cursor.TryTake(close)) return true;
  while (true) {
    Node child;
    if (!element(cursor, &child) || !Attach(cursor, std::move(child), node)) return false;
    if (cursor.TryTake(close)) return true;
    if (!cursor.TryTake(","))
      return cursor.Fail(absl::StrCat("',' or '", std::string(close), "'"));
  }
}

// --- Primaries -------------------------------------------------------------

bool ParseCallSuffix(Cursor& cursor, Node* node) {
  node->expr.kind = Kind::kCall;
  const SourceLocation location = node->expr.location;
  if (!ParseList(cursor, ")", ParseExpression, node)) return false;
  node->expr.location = location;
  return true;
}

// `sym[2]`: an element of an array.
bool ParseIndexSuffix(Cursor& cursor, Node* node) {
  Node index = MakeNode(Kind::kIndex, "", node->expr.location);
  Nesting nesting(cursor);
  if (!nesting.ok()) return false;
  cursor.Take();
  Node position;
  if (!ParseExpression(cursor, &position) || !cursor.Expect("]")) return false;
  if (!Attach(cursor, std::move(*node), &index)) return false;
  if (!Attach(cursor, std::move(position), &index)) return false;
  *node = std::move(index);
  return true;
}

bool ParseIdentifier(Cursor& cursor, Node* node) {
  const Token token = cursor.Take();
  const bool is_sink = token.text == "_";
  *node = MakeNode(is_sink ? Kind::kSink : Kind::kIdentifier, is_sink ? "" : token.text,
                   token.location);
  if (is_sink) return true;
  // `%tid.x`. A dotted name on the next line is a statement behind a missing `;`.
  while (cursor.At(TokenKind::kDirective) &&
         cursor.Peek().location.line == token.location.line) {
    node->expr.text.append(cursor.Take().text);
  }
  if (cursor.At("(")) return ParseCallSuffix(cursor, node);
  while (cursor.At("[")) {
    if (!ParseIndexSuffix(cursor, node)) return false;
  }
  return true;
}

bool FailNumber(Cursor& cursor, const Token& token, const absl::Status& status) {
  return cursor.FailAt(token.location,
                       absl::StrCat(status.message(), ": ", Describe(token)));
}

bool ParseNumberNode(Cursor& cursor, Node* node) {
  const Token token = cursor.Take();
  *node = MakeNode(Kind::kInteger, "", token.location);
  if (absl::Status status = ParseNumber(token.text, &node->expr); !status.ok()) {
    return FailNumber(cursor, token, status);
  }
  // `0xFF00(symbol)`: some bits of an address.
  if (!cursor.At("(")) return true;
  node->expr = MakeNode(Kind::kCall, token.text, token.location).expr;
  return ParseCallSuffix(cursor, node);
}

bool ParseStringNode(Cursor& cursor, Node* node) {
  const Token token = cursor.Take();
  *node = MakeNode(Kind::kString, UnescapeString(token.text), token.location);
  return true;
}

// `(expression)` or, behind the parenthesis, the rest of a cast `(.s64) x`.
bool ParseParenthesis(Cursor& cursor, Node* node) {
  Nesting nesting(cursor);
  if (!nesting.ok()) return false;
  const SourceLocation location = cursor.Take().location;
  if (!cursor.At(TokenKind::kDirective)) {
    return ParseExpression(cursor, node) && cursor.Expect(")");
  }
  const std::string cast = absl::StrCat("(", std::string(cursor.Take().text), ")");
  *node = MakeNode(Kind::kUnary, cast, location);
  Node operand;
  return cursor.Expect(")") && ParseUnary(cursor, &operand) &&
         Attach(cursor, std::move(operand), node);
}

bool ParsePrimary(Cursor& cursor, Node* node) {
  switch (cursor.Peek().kind) {
    case TokenKind::kIdentifier:
      return ParseIdentifier(cursor, node);
    case TokenKind::kNumber:
      return ParseNumberNode(cursor, node);
    case TokenKind::kString:
      return ParseStringNode(cursor, node);
    default:
      break;
  }
  if (cursor.At("(")) return ParseParenthesis(cursor, node);
  return cursor.Fail("an operand");
}

// --- Operators -------------------------------------------------------------

bool ParseUnary(Cursor& cursor, Node* node) {
  const bool is_operator =
      cursor.At("-") || cursor.At("+") || cursor.At("!") || cursor.At("~");
  if (!is_operator) return ParsePrimary(cursor, node);
  Nesting nesting(cursor);
  if (!nesting.ok()) return false;
  const Token token = cursor.Take();
  *node = MakeNode(Kind::kUnary, token.text, token.location);
  Node operand;
  return ParseUnary(cursor, &operand) && Attach(cursor, std::move(operand), node);
}

// Operators of at least `strength`, by precedence climbing.
bool ParseBinary(Cursor& cursor, int strength, Node* node) {
  if (!ParseUnary(cursor, node)) return false;
  while (cursor.At(TokenKind::kPunctuation)) {
    const std::string_view spelling = cursor.Peek().text;
    const int found = BinaryStrength(spelling);
    if (found == 0 || found < strength) break;
    Nesting nesting(cursor);
    if (!nesting.ok()) return false;
    cursor.Take();
    Node binary = MakeNode(Kind::kBinary, spelling, node->expr.location);
    Node right;
    if (!ParseBinary(cursor, found + 1, &right)) return false;
    if (!Attach(cursor, std::move(*node), &binary)) return false;
    if (!Attach(cursor, std::move(right), &binary)) return false;
    *node = std::move(binary);
  }
  return true;
}

bool ParseExpression(Cursor& cursor, Node* node) {
  if (!ParseBinary(cursor, 1, node)) return false;
  if (!cursor.At("?")) return true;
  Nesting nesting(cursor);
  if (!nesting.ok()) return false;
  cursor.Take();
  Node ternary = MakeNode(Kind::kTernary, "", node->expr.location);
  Node then;
  Node otherwise;
  if (!ParseExpression(cursor, &then) || !cursor.Expect(":")) return false;
  if (!ParseExpression(cursor, &otherwise)) return false;
  if (!Attach(cursor, std::move(*node), &ternary)) return false;
  if (!Attach(cursor, std::move(then), &ternary)) return false;
  if (!Attach(cursor, std::move(otherwise), &ternary)) return false;
  *node = std::move(ternary);
  return true;
}

// --- Operands and initialisers ---------------------------------------------

bool ParseVectorElement(Cursor& cursor, Node* node) {
  if (cursor.At("{")) return ParseBraces(cursor, Braces::kOperand, node);
  return ParseExpression(cursor, node);
}

bool ParseInitializerElement(Cursor& cursor, Node* node) {
  if (cursor.At("{")) return ParseBraces(cursor, Braces::kInitializer, node);
  if (!ParseExpression(cursor, node)) return false;
  if (!cursor.At("=")) return true;
  cursor.Take();
  Node field = MakeNode(Kind::kBinary, "=", node->expr.location);
  Node value;
  if (!ParseExpression(cursor, &value)) return false;
  if (!Attach(cursor, std::move(*node), &field)) return false;
  if (!Attach(cursor, std::move(value), &field)) return false;
  *node = std::move(field);
  return true;
}

bool ParseBraces(Cursor& cursor, Braces braces, Node* node) {
  *node = MakeNode(Kind::kVector, "", cursor.Peek().location);
  cursor.OpenBrace();
  const bool is_operand = braces == Braces::kOperand;
  if (!ParseList(cursor, "}", is_operand ? ParseVectorElement : ParseInitializerElement,
                 node)) {
    return false;
  }
  cursor.CloseBrace();
  return true;
}

bool ParseOperand(Cursor& cursor, Node* node) {
  if (cursor.At("{")) return ParseBraces(cursor, Braces::kOperand, node);
  if (cursor.At("[")) {
    *node = MakeNode(Kind::kAddress, "", cursor.Peek().location);
    return ParseList(cursor, "]", ParseVectorElement, node);
  }
  return ParseExpression(cursor, node);
}

bool ParseCallOperand(Cursor& cursor, Node* node) {
  if (!cursor.At("(")) return ParseOperand(cursor, node);
  *node = MakeNode(Kind::kTuple, "", cursor.Peek().location);
  return ParseList(cursor, ")", ParseOperand, node);
}

bool IsName(const ast::Expr& expr) {
  return expr.kind == Kind::kIdentifier || expr.kind == Kind::kSink;
}

// The first operand of an instruction: `p|q` is a pair of destinations there,
// `{...}|p` the destinations of a texture fetch.
bool ParseDestination(Cursor& cursor, Node* node) {
  if (!ParseOperand(cursor, node)) return false;
  ast::Expr& expr = node->expr;
  if (expr.kind == Kind::kBinary && expr.text == "|" && IsName(expr.args[0]) &&
      IsName(expr.args[1])) {
    expr.kind = Kind::kPair;
    expr.text.clear();
    return true;
  }
  if (expr.kind != Kind::kVector || !cursor.TryTake("|")) return true;
  if (!cursor.At(TokenKind::kIdentifier)) return cursor.Fail("a predicate behind '|'");
  Node pair = MakeNode(Kind::kPair, "", expr.location);
  Node predicate;
  if (!ParseIdentifier(cursor, &predicate)) return false;
  if (!Attach(cursor, std::move(*node), &pair)) return false;
  if (!Attach(cursor, std::move(predicate), &pair)) return false;
  *node = std::move(pair);
  return true;
}

bool ParseInto(Cursor& cursor, ElementParser parser, ast::Expr* expr) {
  Node node;
  if (!parser(cursor, &node)) return false;
  *expr = std::move(node.expr);
  return true;
}

}  // namespace

bool ParseConstant(Cursor& cursor, ast::Expr* expr) {
  return ParseInto(cursor, ParseExpression, expr);
}

bool ParseInteger(Cursor& cursor, std::string_view what, uint64_t* value) {
  if (!cursor.At(TokenKind::kNumber)) return cursor.Fail(what);
  const Token token = cursor.Take();
  ast::Expr number;
  if (absl::Status status = ParseNumber(token.text, &number); !status.ok()) {
    return FailNumber(cursor, token, status);
  }
  if (number.kind != Kind::kInteger) {
    return cursor.FailAt(token.location, absl::StrCat("expected ", std::string(what),
                                                      ", found ", Describe(token)));
  }
  *value = number.integer;
  return true;
}

bool ParseInitializer(Cursor& cursor, ast::Expr* expr) {
  const bool is_list = cursor.At("{");
  return ParseInto(cursor, is_list ? ParseInitializerElement : ParseExpression, expr);
}

bool ParseOperands(Cursor& cursor, bool is_call, std::vector<ast::Expr>* operands) {
  if (cursor.At(";")) return true;
  while (true) {
    const ElementParser parser = is_call             ? ParseCallOperand
                                 : operands->empty() ? ParseDestination
                                                     : ParseOperand;
    if (!ParseInto(cursor, parser, &operands->emplace_back())) return false;
    if (cursor.At(";")) return true;
    if (!cursor.TryTake(",")) return cursor.Fail("',' or ';'");
  }
}

}  // namespace thunky::ptx
