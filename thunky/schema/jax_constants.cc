#include "thunky/schema/jax_constants.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/constants.h"
#include "thunky/schema/jax_hlo.h"
#include "thunky/schema/walk.h"

namespace thunky::schema {
namespace {

constexpr char kSymbolPrefix[] = "buffer_for_";
// All constants together. The HLO module, which holds them, is one record of the file.
constexpr int64_t kMaxConstantBytes = int64_t{1} << 29;
// Every GPU that CUDA 13 supports takes this.
constexpr char kPtxHeader[] = ".version 7.0\n.target sm_75\n.address_size 64\n\n";
// XLA's own alignment of constants.
constexpr int kAlignment = 256;

std::string InstructionName(absl::string_view symbol) {
  absl::ConsumePrefix(&symbol, kSymbolPrefix);
  std::string name(symbol);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !absl::ascii_isalnum(c); },
      '_');
  return name;
}

// Whether the symbol is what an instruction gives it, and a name in PTX.
bool FitsInstruction(const std::string& symbol) {
  return ConstantSymbolName(InstructionName(symbol)) == symbol;
}

// The driver takes PTX where XLA itself puts machine code.
std::string Declaration(const std::string& symbol, size_t size) {
  return absl::StrCat(".visible .global .align ", kAlignment, " .b8 ", symbol, "[",
                      std::max<size_t>(size, 1), "];\n");
}

// What a file has room for.
class ConstantRoom {
 public:
  // The content padded to its allocation.
  absl::StatusOr<std::string> Padded(const Constant& constant) {
    // Without an allocation the content is the size.
    const int64_t size =
        std::max(constant.size, static_cast<int64_t>(constant.bytes.size()));
    if (size > left_) {
      return absl::InvalidArgumentError(
          absl::StrCat("has ", size, " bytes; a file has room for ", kMaxConstantBytes,
                       " bytes of constants, of which ", left_, " are left"));
    }
    left_ -= size;
    std::string bytes = constant.bytes;
    bytes.resize(static_cast<size_t>(size));
    return bytes;
  }

 private:
  int64_t left_ = kMaxConstantBytes;
};

// XLA hands the driver the address alone, so the text has to end by itself.
std::string Binary(absl::string_view declarations) {
  return absl::StrCat(kPtxHeader, declarations, absl::string_view("\0", 1));
}

absl::Status At(const Constant& constant, const absl::Status& status) {
  return Annotate(status, absl::StrCat("constant '", constant.name, "'"));
}

// Apart from zeros at the end.
bool SameBytes(absl::string_view a, absl::string_view b) {
  if (a.size() < b.size()) std::swap(a, b);
  return a.substr(0, b.size()) == b &&
         a.find_first_not_of('\0', b.size()) == absl::string_view::npos;
}

// Kernels whose code is in `binary` need it as it is.
absl::Status CheckNoModuleCode(const wire::GpuExecutableProto& executable) {
  return WalkThunks(executable.thunks(), [](const ThunkVisit& visit) {
    if (visit.kind != ThunkKind::kKernel) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "kernel '", visit.thunk.kernel_thunk().kernel_name(),
        "' has its code in the module's binary, which has to make way for the "
        "addresses of new constants; attach code to the kernel"));
  });
}

// Names of instructions, as the symbols that constants of these names would get.
class SymbolNames {
 public:
  explicit SymbolNames(wire::GpuExecutableProto* executable) {
    for (auto& computation : *executable->mutable_hlo_module_with_config()
                                  ->mutable_hlo_module()
                                  ->mutable_computations()) {
      for (auto& instruction : *computation.mutable_instructions()) {
        instructions_[ConstantSymbolName(instruction.name())].push_back(&instruction);
      }
    }
    for (const auto& info : executable->constants()) symbols_.insert(info.symbol_name());
  }

  // The name for the instruction of a constant. Instructions that have it are renamed.
  std::string Claim(const std::string& symbol) {
    const std::string name = InstructionName(symbol);
    if (!FitsInstruction(symbol)) return Unused(name);
    std::vector<wire::HloInstructionProto*> holders;
    holders.swap(instructions_[symbol]);
    for (wire::HloInstructionProto* holder : holders) {
      holder->set_name(Unused(absl::StrCat(name, "_replaced")));
    }
    return name;
  }

 private:
  // Taken from now on.
  std::string Unused(const std::string& stem) {
    std::string name = stem;
    for (int& next = next_[stem];;) {
      const std::string symbol = ConstantSymbolName(name);
      if (instructions_.count(symbol) == 0 && symbols_.insert(symbol).second) return name;
      name = absl::StrCat(stem, "_", ++next);
    }
  }

  std::map<std::string, std::vector<wire::HloInstructionProto*>> instructions_;
  std::set<std::string> symbols_;
  std::map<std::string, int> next_;  // the last number given to a stem
};

}  // namespace

absl::StatusOr<std::vector<StandInConstant>> MoveConstants(
    wire::GpuExecutableProto* executable) {
  ASSIGN_OR_RETURN(const std::vector<Constant> constants, ConstantsOf(*executable));
  std::vector<StandInConstant> moved;
  moved.reserve(constants.size());
  std::map<std::string, std::string> names;  // from instruction to symbol
  std::string declarations;
  ConstantRoom room;
  for (size_t i = 0; i < constants.size(); ++i) {
    const Constant& constant = constants[i];
    const auto invalid = [&](const auto&... pieces) {
      return At(constant, absl::InvalidArgumentError(absl::StrCat(pieces...)));
    };
    const std::string name = InstructionName(constant.name);
    const auto [other, is_new] = names.emplace(name, constant.name);
    if (name.empty()) return invalid("has no name");
    if (!is_new) return invalid("becomes '", name, "', as '", other->second, "' does");
    absl::StatusOr<std::string> bytes = room.Padded(constant);
    if (!bytes.ok()) return At(constant, bytes.status());
    wire::GpuExecutableProto::ConstantInfoProto& info =
        *executable->mutable_constants(static_cast<int>(i));
    info.set_symbol_name(ConstantSymbolName(name));
    info.clear_content();
    declarations += Declaration(info.symbol_name(), bytes->size());
    moved.push_back({name, *std::move(bytes)});
  }
  if (!moved.empty()) executable->set_binary(Binary(declarations));
  return moved;
}

absl::Status ReplaceConstants(wire::GpuExecutableProto* executable) {
  ASSIGN_OR_RETURN(const std::vector<Constant> constants, ConstantsOf(*executable));
  const std::vector<std::optional<std::string>> literals =
      LiteralsOfConstants(*executable);
  std::vector<StandInConstant> added;
  std::string declarations;
  ConstantRoom room;
  SymbolNames names(executable);
  for (size_t i = 0; i < constants.size(); ++i) {
    const Constant& constant = constants[i];
    const std::optional<std::string>& literal = literals[i];
    wire::GpuExecutableProto::ConstantInfoProto& info =
        *executable->mutable_constants(static_cast<int>(i));
    const bool known = literal.has_value() && SameBytes(*literal, constant.bytes) &&
                       FitsInstruction(constant.name);
    // One in no allocation has no effect, whatever it says.
    if (known || (constant.allocation < 0 && FitsInstruction(constant.name))) {
      const size_t size = literal.has_value() ? literal->size() : 0;
      declarations += Declaration(info.symbol_name(),
                                  std::max(size, static_cast<size_t>(constant.size)));
      continue;
    }
    if (InstructionName(constant.name).empty()) {
      return At(constant, absl::InvalidArgumentError("has no name"));
    }
    absl::StatusOr<std::string> bytes = room.Padded(constant);
    if (!bytes.ok()) return At(constant, bytes.status());
    StandInConstant& fresh = added.emplace_back();
    fresh.instruction = names.Claim(constant.name);
    info.set_symbol_name(ConstantSymbolName(fresh.instruction));
    info.clear_content();
    declarations += Declaration(info.symbol_name(), bytes->size());
    fresh.bytes = *std::move(bytes);
  }
  if (added.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(CheckNoModuleCode(*executable));
  executable->set_binary(Binary(declarations));
  return AddConstants(added,
                      executable->mutable_hlo_module_with_config()->mutable_hlo_module());
}

}  // namespace thunky::schema
