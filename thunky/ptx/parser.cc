#include "thunky/ptx/parser.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/parser_cursor.h"
#include "thunky/ptx/parser_declaration.h"
#include "thunky/ptx/parser_directive.h"
#include "thunky/ptx/parser_function.h"
#include "thunky/ptx/parser_literal.h"

namespace thunky::ptx {
namespace {

constexpr size_t kMaxBytes = size_t{256} << 20;
constexpr int kMaxVersionPart = 9999;

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// What can be said without looking at the grammar.
absl::Status CheckText(std::string_view text) {
  if (text.size() > kMaxBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "PTX text of ", text.size(), " bytes exceeds the limit of ", kMaxBytes));
  }
  if (text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos) {
    return absl::InvalidArgumentError("PTX text is empty");
  }
  if (StartsWith(text,
                 "\x7f"
                 "ELF")) {
    return absl::InvalidArgumentError("not PTX text: found an ELF header (a cubin?)");
  }
  if (StartsWith(text, "\x50\xed\x55\xba")) {
    return absl::InvalidArgumentError("not PTX text: found a fat binary header");
  }
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("not PTX text: found a NUL byte at offset ", nul));
  }
  return absl::OkStatus();
}

absl::Status CheckVersion(const ast::Module& module, SourceLocation location) {
  const std::pair<int, int> found(module.version_major, module.version_minor);
  if (found <= std::pair(kNewestMajor, kNewestMinor)) return absl::OkStatus();
  return absl::UnimplementedError(AtLocation(
      location,
      absl::StrCat("PTX version ", found.first, ".", found.second, " is newer than ",
                   kNewestMajor, ".", kNewestMinor, ", the newest that is supported")));
}

// `.version 9.0`
absl::Status ParseVersion(Cursor& cursor, ast::Module* module) {
  if (!cursor.At(".version")) {
    cursor.Fail("'.version' as the first directive of PTX");
    return cursor.status();
  }
  cursor.Take();
  const Token token = cursor.Peek();
  const size_t point = token.text.find('.');
  std::optional<int> major;
  std::optional<int> minor;
  if (token.kind == TokenKind::kNumber && point != std::string_view::npos) {
    major = ParseSmallDecimal(token.text.substr(0, point), kMaxVersionPart);
    minor = ParseSmallDecimal(token.text.substr(point + 1), kMaxVersionPart);
  }
  if (!major || !minor) {
    cursor.Fail("a version such as 9.0");
    return cursor.status();
  }
  cursor.Take();
  module->version_major = *major;
  module->version_minor = *minor;
  return CheckVersion(*module, token.location);
}

// `.target sm_90a, texmode_independent`
bool ParseTarget(Cursor& cursor, ast::Module* module) {
  if (!cursor.Expect(".target")) return false;
  do {
    if (!cursor.ExpectIdentifier("a target such as sm_90",
                                 &module->targets.emplace_back())) {
      return false;
    }
  } while (cursor.TryTake(","));
  return true;
}

// `.address_size 64`, which old modules of 32 bits lack.
bool ParseAddressSize(Cursor& cursor, ast::Module* module) {
  module->address_size = 32;
  if (!cursor.TryTake(".address_size")) return true;
  if (!cursor.At("32") && !cursor.At("64")) return cursor.Fail("32 or 64");
  if (cursor.Take().text == "64") module->address_size = 64;
  return true;
}

// `.alias name, aliasee;`
bool ParseAlias(Cursor& cursor, ast::Module* module) {
  ast::Alias alias;
  alias.location = cursor.Take().location;
  if (!cursor.ExpectIdentifier("a function name", &alias.name) || !cursor.Expect(",") ||
      !cursor.ExpectIdentifier("a function name", &alias.aliasee)) {
    return false;
  }
  module->items.emplace_back(std::move(alias));
  return cursor.Expect(";");
}

bool ParseModuleVariables(Cursor& cursor, std::vector<std::string> linkage,
                          ast::Module* module) {
  std::vector<ast::Variable> variables;
  if (!ParseVariables(cursor, std::move(linkage), &variables)) return false;
  for (ast::Variable& variable : variables) {
    module->items.emplace_back(std::move(variable));
  }
  return true;
}

bool ParseModuleDirective(Cursor& cursor, ast::Module* module) {
  ast::RawDirective directive;
  if (!ParseRawDirective(cursor, Scope::kModule, &directive)) return false;
  module->items.emplace_back(std::move(directive));
  return true;
}

bool ParseItem(Cursor& cursor, ast::Module* module) {
  std::vector<std::string> linkage = TakeLinkage(cursor);
  if (cursor.At(".entry") || cursor.At(".func")) {
    auto& item = module->items.emplace_back(std::in_place_type<ast::Function>);
    return ParseFunction(cursor, std::move(linkage), &std::get<ast::Function>(item));
  }
  if (IsStateSpace(cursor.Peek())) {
    return ParseModuleVariables(cursor, std::move(linkage), module);
  }
  if (!linkage.empty()) return cursor.Fail("'.entry', '.func' or a state space");
  if (cursor.At(".alias")) return ParseAlias(cursor, module);
  if (cursor.At(".version")) return cursor.Fail("one '.version' only");
  if (cursor.Peek().IsDirectiveName()) return ParseModuleDirective(cursor, module);
  return cursor.Fail("a directive");
}

}  // namespace

absl::StatusOr<ast::Module> ParseModule(std::string_view text) {
  RETURN_IF_ERROR(CheckText(text));
  Cursor cursor(text);
  ast::Module module;
  RETURN_IF_ERROR(ParseVersion(cursor, &module));
  const bool ok = ParseTarget(cursor, &module) && ParseAddressSize(cursor, &module);
  while (ok && !cursor.AtEnd()) {
    cursor.BeginStatement();
    if (!ParseItem(cursor, &module)) cursor.SkipModuleItem();
  }
  RETURN_IF_ERROR(cursor.status());
  return module;
}

}  // namespace thunky::ptx
