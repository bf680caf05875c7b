#include "thunky/ptx/lowering_for_test.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/parser.h"

namespace thunky::ptx {
namespace {

constexpr std::string_view kHeader = ".version 9.0\n.target sm_90a\n.address_size 64\n";

std::string Text(std::string_view text) { return std::string(text); }

template <typename Enum>
std::string_view NameOf(Enum value, const std::vector<std::string_view>& names) {
  return names[static_cast<size_t>(value)];
}

// Words for what `mod` says beyond the defaults.
std::vector<std::string> Words(const ir::Modifiers& mod) {
  std::vector<std::string> words;
  const auto flag = [&](bool set, std::string_view word) {
    if (set) words.push_back(Text(word));
  };
  const auto choice = [&](auto value, const std::vector<std::string_view>& names) {
    const std::string_view word = NameOf(value, names);
    if (!word.empty()) words.push_back(Text(word));
  };
  if (mod.space != ir::Space::kGeneric) words.push_back(Text(ir::SpaceName(mod.space)));
  choice(mod.rounding, {"", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"});
  choice(mod.part, {"", "lo", "hi", "wide"});
  choice(mod.compare, {"", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ",
                       "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  choice(mod.bool_op, {"", "bool=and", "bool=or", "bool=xor"});
  choice(mod.atom, {"", "op=add", "op=inc", "op=dec", "op=min", "op=max", "op=and",
                    "op=or", "op=xor", "op=exch", "op=cas"});
  choice(mod.shfl, {"up", "down", "bfly", ""});
  choice(mod.vote, {"", "any", "uni", "ballot"});
  choice(mod.bar, {"", "arrive", "red=popc", "red=and", "red=or"});
  choice(mod.prmt, {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  choice(mod.testp, {"", "infinite", "number", "notanumber", "normal", "subnormal"});
  choice(mod.ordering,
         {"", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc"});
  flag(mod.ftz, "ftz");
  flag(mod.sat, "sat");
  flag(mod.relu, "relu");
  flag(mod.satfinite, "satfinite");
  flag(mod.approx, "approx");
  flag(mod.full, "full");
  flag(mod.nan, "NaN");
  flag(mod.xorsign, "xorsign");
  flag(mod.three_inputs, "three");
  flag(mod.carry_in, "carry_in");
  flag(mod.carry_out, "carry_out");
  flag(mod.wrap, "wrap");
  flag(mod.left, "left");
  flag(mod.shiftamt, "shiftamt");
  flag(mod.uniform, "uni");
  flag(mod.aligned, "aligned");
  flag(mod.sync_mask, "sync");
  flag(mod.trans, "trans");
  flag(mod.to, "to");
  flag(mod.non_coherent, "nc");
  flag(mod.match_all, "all");
  if (mod.vec != 1) words.push_back(absl::StrCat("vec=", mod.vec));
  if (mod.bytes != 0) words.push_back(absl::StrCat("bytes=", mod.bytes));
  if (mod.mma_shape[0] != 0) {
    words.push_back(absl::StrCat("m", mod.mma_shape[0], "n", mod.mma_shape[1], "k",
                                 mod.mma_shape[2]));
  }
  return words;
}

class Describer {
 public:
  Describer(const ir::Function& function, const ir::Program& program)
      : function_(function), program_(program) {}

  std::string Register(uint32_t index) const { return function_.registers[index].name; }

  std::string Symbol(uint32_t index) const {
    return index >= ir::kModuleSymbolBase
               ? program_.symbols[index - ir::kModuleSymbolBase].name
               : function_.symbols[index].name;
  }

  std::string Operand(const ir::Operand& operand) const {
    const std::string sign = operand.negated ? "!" : "";
    switch (operand.kind) {
      case ir::Operand::Kind::kNone:
        return "_";
      case ir::Operand::Kind::kRegister:
        return sign + Register(operand.index);
      case ir::Operand::Kind::kImmediate:
        return absl::StrCat("0x", absl::Hex(operand.bits));
      case ir::Operand::Kind::kSymbol:
        return absl::StrCat("&", Symbol(operand.index), "+", operand.bits);
      case ir::Operand::Kind::kSpecial:
        return absl::StrCat("special", static_cast<int>(operand.special), ".",
                            operand.component);
      case ir::Operand::Kind::kFunction:
        return absl::StrCat("&", program_.functions[operand.index].name, "()");
    }
    return "?";
  }

  std::string List(const std::vector<ir::Operand>& operands) const {
    return absl::StrJoin(operands, " ", [this](std::string* out, const ir::Operand& o) {
      out->append(Operand(o));
    });
  }

  std::string Address(const ir::Address& address) const {
    switch (address.base) {
      case ir::Address::Base::kNone:
        return absl::StrCat("[", address.offset, "]");
      case ir::Address::Base::kRegister:
        return absl::StrCat("[", Register(address.index), "+", address.offset, "]");
      case ir::Address::Base::kSymbol:
        return absl::StrCat("[&", Symbol(address.index), "+", address.offset, "]");
    }
    return "?";
  }

 private:
  const ir::Function& function_;
  const ir::Program& program_;
};

std::string WrapBody(std::string_view body) {
  return absl::StrCat(".visible .entry k(.param .u64 x) {\n", Text(body),
                      "\n.reg .pred %unused; ret; }\n"
                      ".global .b32 g[16];\n.shared .b32 s[16];\n.const .f32 c[4];\n");
}

constexpr std::string_view kRegisters =
    ".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 "
    "%f<8>; .reg .f64 %d<8>; .reg .u16 %us<8>; .reg .u32 %u<8>; .reg .u64 %ud<8>; ";

}  // namespace

absl::StatusOr<ir::Program> LowerItems(std::string_view items, std::string_view entry) {
  ASSIGN_OR_RETURN(const ast::Module module, ParseModule(Text(kHeader) + Text(items)));
  return LowerEntry(module, entry);
}

absl::StatusOr<std::vector<Diagnostic>> CheckItems(std::string_view items,
                                                   std::string_view entry) {
  ASSIGN_OR_RETURN(const ast::Module module, ParseModule(Text(kHeader) + Text(items)));
  return CheckEntry(module, entry);
}

absl::StatusOr<ir::Program> LowerBody(std::string_view body) {
  return LowerItems(WrapBody(Text(kRegisters) + Text(body)));
}

std::string LowerOne(std::string_view instruction) {
  const absl::StatusOr<ir::Program> program = LowerBody(instruction);
  if (!program.ok()) {
    const std::string message(program.status().message());
    const size_t colon = message.find(": ");
    return message.substr(colon == std::string::npos ? 0 : colon + 2);
  }
  const ir::Function& function = program->functions[0];
  return Describe(function.code[0], function, *program);
}

std::string Describe(const ir::Instruction& instruction, const ir::Function& function,
                     const ir::Program& program) {
  const Describer describer(function, program);
  std::string text;
  if (instruction.guard.has_value()) {
    absl::StrAppend(&text, "@", instruction.guard->negated ? "!" : "",
                    describer.Register(instruction.guard->predicate), " ");
  }
  absl::StrAppend(&text, Text(ir::OpName(instruction.op)));
  for (const ir::Type type : {instruction.type, instruction.src_type}) {
    if (type != ir::Type::kNone) absl::StrAppend(&text, ".", Text(ir::TypeName(type)));
  }
  for (const std::string& word : Words(instruction.mod))
    absl::StrAppend(&text, " ", word);
  std::vector<std::string> parts = {describer.List(instruction.dst),
                                    describer.List(instruction.src), ""};
  if (instruction.address.has_value()) {
    parts[2] = describer.Address(*instruction.address);
  }
  if (instruction.address2.has_value()) {
    absl::StrAppend(&parts[2], " ", describer.Address(*instruction.address2));
  }
  while (!parts.empty() && parts.back().empty()) parts.pop_back();
  for (const std::string& part : parts) {
    absl::StrAppend(&text, part.empty() ? " |" : " | ", part);
  }
  return text;
}

}  // namespace thunky::ptx
