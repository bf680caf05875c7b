#include "thunky/schema/kinds.h"

#include <array>

#include "thunky/schema/kinds/families.h"

namespace thunky::schema {
namespace {

// Field numbers of ThunkProto are below this.
constexpr int kTableSize = 64;

// Null where no kind has the number.
using Table = std::array<const KindRules*, kTableSize>;

Table BuildTable() {
  Table table{};
  for (const auto family :
       {&kinds::AsyncRules, &kinds::BlasRules, &kinds::CollectiveKernelRules,
        &kinds::CollectiveRules, &kinds::ControlFlowRules, &kinds::CopyRules,
        &kinds::CustomCallRules, &kinds::DeviceIdRules, &kinds::DnnRules,
        &kinds::DynamicSliceRules, &kinds::FftRules, &kinds::FillRules, &kinds::HostRules,
        &kinds::KernelRules, &kinds::PointToPointRules, &kinds::RngSeedRules,
        &kinds::SelectKRules}) {
    for (const KindRules& rules : family()) table[static_cast<int>(rules.kind)] = &rules;
  }
  return table;
}

}  // namespace

const KindRules& RulesFor(ThunkKind kind) {
  static const Table& table = *new Table(BuildTable());
  return *table[static_cast<int>(kind)];
}

std::vector<Access> AccessesOf(ThunkKind kind, const wire::ThunkProto& thunk) {
  std::vector<Access> accesses;
  const KindRules& rules = RulesFor(kind);
  if (rules.accesses != nullptr) rules.accesses(thunk, &accesses);
  return accesses;
}

std::vector<Child> ChildrenOf(ThunkKind kind, const wire::ThunkProto& thunk) {
  std::vector<Child> children;
  const KindRules& rules = RulesFor(kind);
  if (rules.children != nullptr) rules.children(thunk, &children);
  return children;
}

}  // namespace thunky::schema
