#include "thunky/ptx/parser_function.h"

#include <utility>

#include "thunky/ptx/parser_declaration.h"
#include "thunky/ptx/parser_directive.h"
#include "thunky/ptx/parser_statement.h"

namespace thunky::ptx {
namespace {

bool ParseHeader(Cursor& cursor, ast::Function* function) {
  function->is_entry = cursor.Take().text == ".entry";
  if (!ParseAttributes(cursor, &function->attributes)) return false;
  if (!function->is_entry && cursor.At("(") &&
      !ParseParameters(cursor, &function->results)) {
    return false;
  }
  if (!cursor.ExpectIdentifier("a function name", &function->name)) return false;
  if (cursor.At("(") && !ParseParameters(cursor, &function->parameters)) return false;
  while (cursor.Peek().IsDirectiveName()) {
    if (!ParseHeaderDirective(cursor, &function->directives.emplace_back())) return false;
  }
  return true;
}

}  // namespace

bool ParseFunction(Cursor& cursor, std::vector<std::string> linkage,
                   ast::Function* function) {
  function->linkage = std::move(linkage);
  function->location = cursor.Peek().location;
  if (!ParseHeader(cursor, function)) return false;
  if (cursor.TryTake(";")) return true;
  if (!cursor.At("{")) return cursor.Fail("'{' or ';'");
  return ParseBlock(cursor, &function->body.emplace());
}

}  // namespace thunky::ptx
