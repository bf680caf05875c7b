#include "thunky/schema/jax_constants.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/constants.h"

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

// The driver takes PTX where XLA itself puts machine code.
std::string Declaration(const std::string& symbol, size_t size) {
  return absl::StrCat(".visible .global .align ", kAlignment, " .b8 ", symbol, "[",
                      std::max<size_t>(size, 1), "];\n");
}

}  // namespace

absl::StatusOr<std::vector<StandInConstant>> MoveConstants(
    wire::GpuExecutableProto* executable) {
  ASSIGN_OR_RETURN(const std::vector<Constant> constants, ConstantsOf(*executable));
  std::vector<StandInConstant> moved;
  moved.reserve(constants.size());
  std::map<std::string, std::string> names;  // from instruction to symbol
  std::string ptx = kPtxHeader;
  int64_t left = kMaxConstantBytes;
  for (size_t i = 0; i < constants.size(); ++i) {
    const Constant& constant = constants[i];
    const auto invalid = [&](const auto&... pieces) {
      return absl::InvalidArgumentError(
          absl::StrCat("constant '", constant.name, "': ", pieces...));
    };
    const std::string name = InstructionName(constant.name);
    const auto [other, is_new] = names.emplace(name, constant.name);
    if (name.empty()) return invalid("has no name");
    if (!is_new) return invalid("becomes '", name, "', as '", other->second, "' does");
    // Without an allocation the content is the size.
    const int64_t size =
        std::max(constant.size, static_cast<int64_t>(constant.bytes.size()));
    if (size > left) {
      return invalid("has ", size, " bytes; a file has room for ", kMaxConstantBytes,
                     " bytes of constants, of which ", left, " are left");
    }
    left -= size;
    std::string bytes = constant.bytes;
    bytes.resize(static_cast<size_t>(size));
    wire::GpuExecutableProto::ConstantInfoProto& info =
        *executable->mutable_constants(static_cast<int>(i));
    info.set_symbol_name(ConstantSymbolName(name));
    info.clear_content();
    ptx += Declaration(info.symbol_name(), bytes.size());
    moved.push_back({name, std::move(bytes)});
  }
  // XLA hands the driver the address alone, so the text has to end by itself.
  ptx.push_back('\0');
  if (!moved.empty()) executable->set_binary(ptx);
  return moved;
}

}  // namespace thunky::schema
