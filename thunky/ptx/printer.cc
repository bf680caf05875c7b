#include "thunky/ptx/printer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/ptx/printer_expression.h"
#include "thunky/ptx/raw_text.h"

namespace thunky::ptx {
namespace {

// Deeper blocks are not indented further: the text stays in proportion to the
// tree.
constexpr size_t kMaxIndent = 16;

class Printer {
 public:
  void Print(const ast::Module& module);
  void Print(const ast::Variable& variable);
  void Print(const ast::Instruction& instruction);

  std::string Release() { return std::move(out_); }

 private:
  // Items of a module.
  void PrintItem(const ast::Variable& variable) { PrintLine(variable); }
  void PrintItem(const ast::Function& function);
  void PrintItem(const ast::Alias& alias);
  void PrintItem(const ast::RawDirective& directive) { PrintLine(directive); }

  // Statements.
  void PrintStatement(const ast::Variable& variable) { PrintLine(variable); }
  void PrintStatement(const ast::Instruction& instruction);
  void PrintStatement(const ast::Label& label);
  void PrintStatement(const ast::RawDirective& directive) { PrintLine(directive); }
  void PrintStatement(const ast::TargetList& list);
  void PrintStatement(const std::unique_ptr<ast::Prototype>& prototype);
  void PrintStatement(const std::unique_ptr<ast::Block>& block) { PrintBlock(*block); }

  void PrintLine(const ast::Variable& variable);
  void PrintLine(const ast::RawDirective& directive);
  void PrintBlock(const ast::Block& block);
  void PrintWords(const std::vector<std::string>& words);
  void PrintInline(const std::vector<ast::Variable>& parameters);
  void PrintParameters(const std::vector<ast::Variable>& parameters);
  void PrintDirective(const ast::RawDirective& directive);
  void PrintBody(const std::vector<std::string>& tokens);
  void Indent() { out_.append(std::min(depth_, kMaxIndent), '\t'); }

  std::string out_;
  size_t depth_ = 0;
};

// Every word with a blank behind it.
void Printer::PrintWords(const std::vector<std::string>& words) {
  for (const std::string& word : words) absl::StrAppend(&out_, word, " ");
}

// --- Variables -------------------------------------------------------------

void Printer::Print(const ast::Variable& variable) {
  PrintWords(variable.linkage);
  absl::StrAppend(&out_, variable.space, " ");
  PrintWords(variable.attributes);
  if (variable.alignment) absl::StrAppend(&out_, ".align ", *variable.alignment, " ");
  if (!variable.vector.empty()) absl::StrAppend(&out_, variable.vector, " ");
  absl::StrAppend(&out_, variable.type, " ");
  if (variable.pointer) {
    out_ += ".ptr ";
    const ast::Variable::Pointer& pointer = *variable.pointer;
    if (!pointer.space.empty()) absl::StrAppend(&out_, pointer.space, " ");
    if (pointer.alignment) absl::StrAppend(&out_, ".align ", *pointer.alignment, " ");
  }
  out_ += variable.name;
  if (variable.count) absl::StrAppend(&out_, "<", *variable.count, ">");
  for (const std::optional<ast::Expr>& dim : variable.dims) {
    out_ += '[';
    if (dim) AppendExpr(*dim, &out_);
    out_ += ']';
  }
  if (!variable.initializer) return;
  out_ += " = ";
  AppendExpr(*variable.initializer, &out_);
}

void Printer::PrintLine(const ast::Variable& variable) {
  Indent();
  Print(variable);
  out_ += ";\n";
}

void Printer::PrintInline(const std::vector<ast::Variable>& parameters) {
  out_ += '(';
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (i > 0) out_ += ", ";
    Print(parameters[i]);
  }
  out_ += ')';
}

void Printer::PrintParameters(const std::vector<ast::Variable>& parameters) {
  out_ += '(';
  for (size_t i = 0; i < parameters.size(); ++i) {
    out_ += i > 0 ? ",\n\t" : "\n\t";
    Print(parameters[i]);
  }
  out_ += parameters.empty() ? ")" : "\n)";
}

// --- Raw directives --------------------------------------------------------

void Printer::PrintDirective(const ast::RawDirective& directive) {
  out_ += directive.name;
  if (!directive.tokens.empty())
    absl::StrAppend(&out_, " ", JoinTokens(directive.tokens));
  if (directive.braces) {
    out_ += " {\n";
    PrintBody(directive.body);
    Indent();
    out_ += '}';
  }
  if (directive.semicolon) out_ += ';';
}

// Whether the token opens a line of DWARF data: `.b8 1`.
bool IsDataDirective(std::string_view token) {
  return token.size() > 2 && token[0] == '.' && token[1] == 'b' &&
         token.find_first_not_of("0123456789", 2) == std::string_view::npos;
}

void Printer::PrintBody(const std::vector<std::string>& tokens) {
  std::string_view previous;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool is_label = i + 1 < tokens.size() && tokens[i + 1] == ":";
    const bool new_line = IsDataDirective(tokens[i]) || is_label;
    if (new_line && i > 0) out_ += '\n';
    AppendToken(new_line ? "" : previous, tokens[i], &out_);
    previous = tokens[i];
  }
  if (!tokens.empty()) out_ += '\n';
}

void Printer::PrintLine(const ast::RawDirective& directive) {
  Indent();
  PrintDirective(directive);
  out_ += '\n';
}

// --- Statements ------------------------------------------------------------

void Printer::Print(const ast::Instruction& instruction) {
  if (instruction.guard) {
    absl::StrAppend(&out_, instruction.guard->negated ? "@!" : "@",
                    instruction.guard->predicate, " ");
  }
  out_ += instruction.Spelling();
  if (!instruction.operands.empty()) out_ += ' ';
  AppendExprs(instruction.operands, &out_);
  out_ += ';';
}

void Printer::PrintStatement(const ast::Instruction& instruction) {
  Indent();
  Print(instruction);
  out_ += '\n';
}

void Printer::PrintStatement(const ast::Label& label) {
  absl::StrAppend(&out_, label.name, ":\n");
}

void Printer::PrintStatement(const ast::TargetList& list) {
  absl::StrAppend(&out_, list.name,
                  list.is_call ? ": .calltargets " : ": .branchtargets ");
  for (size_t i = 0; i < list.targets.size(); ++i) {
    absl::StrAppend(&out_, i > 0 ? ", " : "", list.targets[i]);
  }
  out_ += ";\n";
}

void Printer::PrintStatement(const std::unique_ptr<ast::Prototype>& prototype) {
  absl::StrAppend(&out_, prototype->name, ": .callprototype ");
  if (!prototype->results.empty()) {
    PrintInline(prototype->results);
    out_ += ' ';
  }
  out_ += "_ ";
  PrintInline(prototype->parameters);
  for (const ast::RawDirective& directive : prototype->directives) {
    out_ += ' ';
    PrintDirective(directive);
  }
  out_ += ";\n";
}

void Printer::PrintBlock(const ast::Block& block) {
  Indent();
  out_ += "{\n";
  ++depth_;
  for (const ast::Statement& statement : block.statements) {
    std::visit([this](const auto& it) { PrintStatement(it); }, statement);
  }
  --depth_;
  Indent();
  out_ += "}\n";
}

// --- Module ----------------------------------------------------------------

void Printer::PrintItem(const ast::Function& function) {
  PrintWords(function.linkage);
  out_ += function.is_entry ? ".entry " : ".func ";
  PrintWords(function.attributes);
  if (!function.results.empty()) {
    PrintInline(function.results);
    out_ += ' ';
  }
  out_ += function.name;
  PrintParameters(function.parameters);
  for (const ast::RawDirective& directive : function.directives) {
    out_ += '\n';
    PrintDirective(directive);
  }
  if (!function.body) {
    out_ += ";\n";
    return;
  }
  out_ += '\n';
  PrintBlock(*function.body);
}

void Printer::PrintItem(const ast::Alias& alias) {
  absl::StrAppend(&out_, ".alias ", alias.name, ", ", alias.aliasee, ";\n");
}

void Printer::Print(const ast::Module& module) {
  absl::StrAppend(&out_, ".version ", module.version_major, ".", module.version_minor,
                  "\n.target ");
  for (size_t i = 0; i < module.targets.size(); ++i) {
    absl::StrAppend(&out_, i > 0 ? ", " : "", module.targets[i]);
  }
  out_ += '\n';
  // PTX before 2.3 has no such directive, and 32 bits only.
  const bool has_size =
      std::pair(module.version_major, module.version_minor) >= std::pair(2, 3);
  if (has_size || module.address_size != 32) {
    absl::StrAppend(&out_, ".address_size ", module.address_size, "\n");
  }
  // Blank lines stand behind the head and around functions.
  bool blank = true;
  for (const ast::ModuleItem& item : module.items) {
    const bool is_function = std::holds_alternative<ast::Function>(item);
    if (blank || is_function) out_ += '\n';
    blank = is_function;
    std::visit([this](const auto& it) { PrintItem(it); }, item);
  }
}

}  // namespace

std::string PrintModule(const ast::Module& module) {
  Printer printer;
  printer.Print(module);
  return printer.Release();
}

std::string PrintInstruction(const ast::Instruction& instruction) {
  Printer printer;
  printer.Print(instruction);
  return printer.Release();
}

}  // namespace thunky::ptx
