#include "thunky/ptx/special_registers.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>

namespace thunky::ptx {
namespace {

using ir::Special;
using ir::Type;

struct Row {
  std::string_view name;
  Special special;
  bool has_components;
  Type type;
  Type other_type;
};

constexpr Row kRows[] = {
    {"%tid", Special::kTid, true, Type::kU32, Type::kU16},
    {"%ntid", Special::kNtid, true, Type::kU32, Type::kU16},
    {"%ctaid", Special::kCtaid, true, Type::kU32, Type::kU16},
    {"%nctaid", Special::kNctaid, true, Type::kU32, Type::kU16},
    {"%clusterid", Special::kClusterid, true, Type::kU32, Type::kNone},
    {"%nclusterid", Special::kNclusterid, true, Type::kU32, Type::kNone},
    {"%cluster_ctaid", Special::kClusterCtaid, true, Type::kU32, Type::kNone},
    {"%cluster_nctaid", Special::kClusterNctaid, true, Type::kU32, Type::kNone},
    {"%cluster_ctarank", Special::kClusterCtarank, false, Type::kU32, Type::kNone},
    {"%cluster_nctarank", Special::kClusterNctarank, false, Type::kU32, Type::kNone},
    {"%is_explicit_cluster", Special::kIsExplicitCluster, false, Type::kPred,
     Type::kNone},
    {"%laneid", Special::kLaneid, false, Type::kU32, Type::kNone},
    {"%warpid", Special::kWarpid, false, Type::kU32, Type::kNone},
    {"%nwarpid", Special::kNwarpid, false, Type::kU32, Type::kNone},
    {"%smid", Special::kSmid, false, Type::kU32, Type::kNone},
    {"%nsmid", Special::kNsmid, false, Type::kU32, Type::kNone},
    {"%gridid", Special::kGridid, false, Type::kU64, Type::kU32},
    {"%lanemask_eq", Special::kLanemaskEq, false, Type::kU32, Type::kNone},
    {"%lanemask_le", Special::kLanemaskLe, false, Type::kU32, Type::kNone},
    {"%lanemask_lt", Special::kLanemaskLt, false, Type::kU32, Type::kNone},
    {"%lanemask_ge", Special::kLanemaskGe, false, Type::kU32, Type::kNone},
    {"%lanemask_gt", Special::kLanemaskGt, false, Type::kU32, Type::kNone},
    {"%clock", Special::kClock, false, Type::kU32, Type::kNone},
    {"%clock_hi", Special::kClockHi, false, Type::kU32, Type::kNone},
    {"%clock64", Special::kClock64, false, Type::kU64, Type::kNone},
    {"%globaltimer", Special::kGlobaltimer, false, Type::kU64, Type::kNone},
    {"%globaltimer_lo", Special::kGlobaltimerLo, false, Type::kU32, Type::kNone},
    {"%globaltimer_hi", Special::kGlobaltimerHi, false, Type::kU32, Type::kNone},
    {"%dynamic_smem_size", Special::kDynamicSmemSize, false, Type::kU32, Type::kNone},
    {"%total_smem_size", Special::kTotalSmemSize, false, Type::kU32, Type::kNone},
};

// Beginnings of the names of registers that only tools and drivers read.
constexpr std::string_view kUnsupported[] = {
    "%pm",
    "%reserved_smem_offset_",
    "%aggr_smem_size",
    "%current_graph_exec",
};

constexpr std::string_view kEnvreg = "%envreg";
constexpr int kEnvregCount = 32;

std::optional<SpecialRegister> FindEnvreg(std::string_view name) {
  const std::string_view digits = name.substr(kEnvreg.size());
  int number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0 ||
      number >= kEnvregCount) {
    return std::nullopt;
  }
  SpecialRegister found;
  found.special = Special::kEnvreg;
  found.component = static_cast<uint8_t>(number);
  return found;
}

}  // namespace

bool IsUnsupportedSpecialRegister(std::string_view name) {
  return std::any_of(
      std::begin(kUnsupported), std::end(kUnsupported),
      [&](std::string_view stem) { return name.substr(0, stem.size()) == stem; });
}

std::optional<SpecialRegister> FindSpecialRegister(std::string_view name) {
  if (name.substr(0, kEnvreg.size()) == kEnvreg) return FindEnvreg(name);
  const size_t dot = name.find('.');
  const std::string_view stem = name.substr(0, dot);
  for (const Row& row : kRows) {
    if (row.name != stem || row.has_components != (dot != std::string_view::npos)) {
      continue;
    }
    SpecialRegister found{row.special, 0, row.type, row.other_type};
    if (!row.has_components) return found;
    const std::string_view component = name.substr(dot + 1);
    const size_t index = component.size() == 1 ? std::string_view("xyz").find(component)
                                               : std::string_view::npos;
    if (index == std::string_view::npos) return std::nullopt;
    found.component = static_cast<uint8_t>(index);
    return found;
  }
  return std::nullopt;
}

}  // namespace thunky::ptx
