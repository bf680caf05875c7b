#include "thunky/ptx/parser_statement.h"

#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "thunky/ptx/parser_declaration.h"
#include "thunky/ptx/parser_directive.h"
#include "thunky/ptx/parser_expression.h"

namespace thunky::ptx {
namespace {

using Statements = std::vector<ast::Statement>;

bool ParseGuard(Cursor& cursor, ast::Instruction* instruction) {
  if (!cursor.TryTake("@")) return true;
  ast::Guard& guard = instruction->guard.emplace();
  guard.negated = cursor.TryTake("!");
  return cursor.ExpectIdentifier("a predicate", &guard.predicate);
}

bool ParseInstruction(Cursor& cursor, Statements* statements) {
  ast::Instruction instruction;
  instruction.location = cursor.Peek().location;
  if (!ParseGuard(cursor, &instruction)) return false;
  const uint32_t line = cursor.Peek().location.line;
  if (cursor.At("_") || cursor.Peek().text.substr(0, 1) == "%") {
    return cursor.Fail("an instruction");
  }
  if (!cursor.ExpectIdentifier("an instruction", &instruction.opcode)) return false;
  while (cursor.At(TokenKind::kDirective) && cursor.Peek().location.line == line) {
    instruction.modifiers.emplace_back(cursor.Take().text.substr(1));
  }
  const bool is_call = instruction.opcode == "call";
  if (!ParseOperands(cursor, is_call, &instruction.operands)) return false;
  statements->push_back(std::move(instruction));
  return cursor.Expect(";");
}

// `.branchtargets a, b;` and `.calltargets f, g;` behind their label.
bool ParseTargets(Cursor& cursor, const Token& label, Statements* statements) {
  ast::TargetList list;
  list.name.assign(label.text);
  list.location = label.location;
  list.is_call = cursor.Take().text == ".calltargets";
  do {
    const bool ok = cursor.ExpectIdentifier(list.is_call ? "a function" : "a label",
                                            &list.targets.emplace_back());
    if (!ok) return false;
  } while (cursor.TryTake(","));
  if (!cursor.At(";")) return cursor.Fail("',' or ';'");
  cursor.Take();
  statements->push_back(std::move(list));
  return true;
}

// `.callprototype (results) _ (parameters) .directive;` behind its label.
bool ParsePrototype(Cursor& cursor, const Token& label, Statements* statements) {
  auto prototype = std::make_unique<ast::Prototype>();
  prototype->name.assign(label.text);
  prototype->location = label.location;
  cursor.Take();
  if (cursor.At("(") && !ParseParameters(cursor, &prototype->results)) return false;
  if (!cursor.Expect("_")) return false;
  if (cursor.At("(") && !ParseParameters(cursor, &prototype->parameters)) return false;
  while (cursor.Peek().IsDirectiveName()) {
    if (!ParseHeaderDirective(cursor, &prototype->directives.emplace_back())) {
      return false;
    }
  }
  statements->push_back(std::move(prototype));
  return cursor.Expect(";");
}

bool ParseLabel(Cursor& cursor, Statements* statements) {
  const Token label = cursor.Take();
  cursor.Take();
  if (cursor.At(".branchtargets") || cursor.At(".calltargets")) {
    return ParseTargets(cursor, label, statements);
  }
  if (cursor.At(".callprototype")) return ParsePrototype(cursor, label, statements);
  statements->push_back(ast::Label{std::string(label.text), label.location});
  return true;
}

bool ParseVariableStatements(Cursor& cursor, Statements* statements) {
  std::vector<ast::Variable> variables;
  const bool ok = ParseVariables(cursor, TakeLinkage(cursor), &variables);
  statements->insert(statements->end(), std::make_move_iterator(variables.begin()),
                     std::make_move_iterator(variables.end()));
  return ok;
}

bool ParseDirective(Cursor& cursor, Statements* statements) {
  const bool has_linkage = cursor.At(".visible") || cursor.At(".extern") ||
                           cursor.At(".weak") || cursor.At(".common");
  if (has_linkage || IsStateSpace(cursor.Peek())) {
    return ParseVariableStatements(cursor, statements);
  }
  ast::RawDirective directive;
  if (!ParseRawDirective(cursor, Scope::kBody, &directive)) return false;
  statements->push_back(std::move(directive));
  return true;
}

bool ParseStatement(Cursor& cursor, Statements* statements) {
  if (cursor.At("{")) {
    auto block = std::make_unique<ast::Block>();
    if (!ParseBlock(cursor, block.get())) return false;
    statements->push_back(std::move(block));
    return true;
  }
  if (cursor.At("@")) return ParseInstruction(cursor, statements);
  if (cursor.Peek().IsDirectiveName()) return ParseDirective(cursor, statements);
  if (!cursor.At(TokenKind::kIdentifier)) return cursor.Fail("a statement");
  const bool is_label =
      cursor.PeekNext().kind == TokenKind::kPunctuation && cursor.PeekNext().text == ":";
  return is_label && !cursor.At("_") ? ParseLabel(cursor, statements)
                                     : ParseInstruction(cursor, statements);
}

}  // namespace

bool ParseBlock(Cursor& cursor, ast::Block* block) {
  Nesting nesting(cursor);
  if (!nesting.ok()) return false;
  block->location = cursor.Peek().location;
  if (!cursor.Expect("{")) return false;
  while (!cursor.TryTake("}")) {
    if (cursor.AtEnd()) return cursor.Fail("'}'");
    cursor.BeginStatement();
    if (!ParseStatement(cursor, &block->statements)) cursor.SkipStatement();
  }
  return true;
}

}  // namespace thunky::ptx
