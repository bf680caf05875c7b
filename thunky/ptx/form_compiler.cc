#include "thunky/ptx/form_compiler.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "thunky/ptx/modifier_vocabulary.h"

namespace thunky::ptx {
namespace {

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }
std::string_view View(absl::string_view text) { return {text.data(), text.size()}; }

std::vector<std::string> Split(std::string_view text, char separator) {
  return absl::StrSplit(View(text), separator, absl::SkipEmpty());
}

// Replaces `<name>` by what `group` gives for it, until none is left.
std::string Expand(std::string_view text, std::string_view (*group)(std::string_view),
                   std::vector<std::string>& mistakes) {
  std::string result(text);
  for (size_t open = result.find('<'); open != std::string::npos;
       open = result.find('<')) {
    const size_t close = result.find('>', open);
    if (close == std::string::npos) {
      mistakes.push_back(absl::StrCat("'<' without '>' in \"", result, "\""));
      return {};
    }
    const std::string name = result.substr(open + 1, close - open - 1);
    const std::string_view body = group(name);
    if (body.empty()) {
      mistakes.push_back(absl::StrCat("no group is called <", name, ">"));
      return {};
    }
    result.replace(open, close - open + 1, body);
  }
  return result;
}

ModifierChoice ParseChoice(std::string_view text, std::vector<std::string>& mistakes) {
  ModifierChoice choice;
  if (!text.empty() && text.back() == '?') {
    choice.optional = true;
    text.remove_suffix(1);
  }
  // A role ends at a single colon; `::` belongs to a token.
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos && text.substr(colon, 2) != "::") {
    choice.role = std::string(text.substr(0, colon));
    text.remove_prefix(colon + 1);
  }
  choice.tokens = Split(text, '|');
  ir::Modifiers ignored;
  for (const std::string& token : choice.tokens) {
    if (ApplyModifier(choice.role, token, ignored)) continue;
    mistakes.push_back(absl::StrCat("role '", choice.role, "' has no '", token, "'"));
  }
  return choice;
}

TypeSet ParseTypes(std::string_view text, std::vector<std::string>& mistakes) {
  TypeSet set = 0;
  for (const std::string& name : Split(text, '|')) {
    const ir::Type type = ir::TypeFromName(name);
    if (type == ir::Type::kNone) mistakes.push_back(absl::StrCat("no type '", name, "'"));
    set |= TypeSet{1} << static_cast<unsigned>(type);
  }
  return set;
}

// The rule after `:`.
void ParseTypeRule(std::string_view text, OperandItem& item,
                   std::vector<std::string>& mistakes) {
  if (text == "S") {
    item.type_rule = OperandItem::TypeRule::kSource;
    return;
  }
  if (text == "W") {
    item.type_rule = OperandItem::TypeRule::kWide;
    return;
  }
  item.type_rule = OperandItem::TypeRule::kFixed;
  const size_t slash = text.find('/');
  item.fixed = ir::TypeFromName(text.substr(0, slash));
  bool known = item.fixed != ir::Type::kNone;
  if (slash != std::string_view::npos) {
    item.alternative = ir::TypeFromName(text.substr(slash + 1));
    known = known && item.alternative != ir::Type::kNone;
  }
  if (!known) mistakes.push_back(absl::StrCat("no type '", View(text), "'"));
}

// Flags before the name.
void TakePrefixes(std::string_view& text, OperandItem& item) {
  for (; !text.empty(); text.remove_prefix(1)) {
    switch (text.front()) {
      case '!':
        item.may_negate = true;
        break;
      case '&':
        item.may_be_symbol = true;
        break;
      case '%':
        item.may_be_special = true;
        break;
      case '#':
        item.role = OperandItem::Role::kImmediate;
        break;
      case '*':
        item.role = OperandItem::Role::kIgnored;
        break;
      default:
        return;
    }
  }
}

// `{v}`, `{4}`, `~` and `|` after the name.
void ParseSuffixes(std::string_view text, OperandItem& item,
                   std::vector<std::string>& mistakes) {
  while (!text.empty()) {
    if (text.front() == '~') {
      item.may_be_wider = true;
    } else if (text.front() == '|') {
      item.second_predicate = true;
    } else if (text.substr(0, 3) == "{v}") {
      item.vector_of_mod = true;
      text.remove_prefix(2);
    } else if (text.size() >= 3 && text[0] == '{' && std::isdigit(text[1]) &&
               text[2] == '}') {
      item.vector = static_cast<uint8_t>(text[1] - '0');
      text.remove_prefix(2);
    } else {
      mistakes.push_back(absl::StrCat("bad operand suffix '", View(text), "'"));
      return;
    }
    text.remove_prefix(1);
  }
}

OperandItem ParseItem(std::string_view text, std::vector<std::string>& mistakes) {
  OperandItem item;
  if (text == "=0") {
    item.role = OperandItem::Role::kZero;
    return item;
  }
  if (text.front() == '[') {
    item.role = OperandItem::Role::kAddress;
    if (text.back() != ']') mistakes.emplace_back("'[' without ']'");
    return item;
  }
  TakePrefixes(text, item);
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    std::string_view rule = text.substr(colon + 1);
    if (!rule.empty() && rule.back() == '~') {
      item.may_be_wider = true;
      rule.remove_suffix(1);
    }
    ParseTypeRule(rule, item, mistakes);
    text = text.substr(0, colon);
  }
  size_t end = 0;
  while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
  const std::string_view name = text.substr(0, end);
  ParseSuffixes(text.substr(end), item, mistakes);
  if (name.empty()) {
    mistakes.emplace_back("an operand has no name");
  } else if (item.role == OperandItem::Role::kSource && name.front() == 'd') {
    item.role = OperandItem::Role::kDestination;
  } else if (item.role == OperandItem::Role::kImmediate && name == "bytes") {
    item.role = OperandItem::Role::kBytes;
  }
  return item;
}

OperandPattern ParsePattern(std::string_view text, std::vector<std::string>& mistakes) {
  OperandPattern pattern;
  for (const std::string& part : Split(text, ',')) {
    const absl::string_view trimmed = absl::StripAsciiWhitespace(part);
    if (trimmed.empty()) {
      mistakes.emplace_back("an operand is empty");
      continue;
    }
    pattern.items.push_back(ParseItem(View(trimmed), mistakes));
    if (pattern.items.back().role != OperandItem::Role::kZero) ++pattern.count;
  }
  return pattern;
}

}  // namespace

bool ModifierChoice::Has(std::string_view token) const {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

CompiledForm CompileForm(const Form& form, std::vector<std::string>& errors) {
  CompiledForm compiled;
  compiled.form = &form;
  std::vector<std::string> mistakes;
  for (const std::string& group :
       Split(Expand(form.modifiers, ModifierGroup, mistakes), ' ')) {
    const bool implied = group.front() == '+';
    ModifierChoice choice =
        ParseChoice(std::string_view(group).substr(implied ? 1 : 0), mistakes);
    (implied ? compiled.implied : compiled.choices).push_back(std::move(choice));
  }
  for (const std::string& slot : Split(Expand(form.types, TypeGroup, mistakes), ' ')) {
    compiled.types.push_back(ParseTypes(slot, mistakes));
  }
  // An empty column is the one alternative without operands.
  const std::vector<std::string> alternatives = absl::StrSplit(View(form.operands), ';');
  for (const std::string& alternative : alternatives) {
    compiled.patterns.push_back(ParsePattern(alternative, mistakes));
  }
  for (const std::string& mistake : mistakes) {
    errors.push_back(absl::StrCat(View(form.opcode), ": ", mistake));
  }
  return compiled;
}

}  // namespace thunky::ptx
