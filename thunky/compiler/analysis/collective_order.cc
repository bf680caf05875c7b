#include "thunky/compiler/analysis/collective_order.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "thunky/compiler/dialect/payload.h"
#include "thunky/schema/kinds.h"

namespace thunky::compiler {
namespace {

// What other devices must issue too: the thunk without its name and without the places
// of its buffers. Nothing for what is no collective.
std::optional<std::string> identityOf(mlir::Operation* op) {
  std::optional<wire::ThunkProto> thunk = thunkOf(op);
  // Of a kind that this build does not know nobody can say what it issues.
  if (!thunk.has_value() || !schema::KindOf(*thunk).ok() ||
      !schema::MayBeGrouped(*thunk)) {
    return std::nullopt;
  }
  thunk->clear_thunk_info();
  for (wire::BufferAllocationSliceProto* slice : slicesOf(*thunk)) {
    slice->clear_buffer_allocation_index();
    slice->clear_offset();
  }
  std::string text;
  thunk->SerializeToString(&text);
  return text;
}

}  // namespace

void CollectiveOrder::step(llvm::ArrayRef<StepAccess> accesses) {
  if (sequences_.empty()) return;  // every device does it
  std::vector<std::string> members;
  mlir::Operation* last = nullptr;
  for (const StepAccess& access : accesses) {
    if (access.op == last) continue;
    last = access.op;
    std::optional<std::string> identity = identityOf(last);
    if (identity.has_value()) members.push_back(*std::move(identity));
  }
  if (members.empty()) return;
  mlir::Operation* issued = accesses.front().op;
  std::string text = members.front();
  if (auto group = issued->getParentOfType<CollectiveGroupOp>()) {
    issued = group;
    std::sort(members.begin(), members.end());
    text = "group";
    for (const std::string& member : members) {
      text += std::to_string(member.size()) + ":" + member;
    }
  }
  sequences_.back().push_back({issued, identify(std::move(text))});
}

unsigned CollectiveOrder::identify(std::string text) {
  return identities_.try_emplace(text, identities_.size()).first->second;
}

void CollectiveOrder::beginChoice(CondOp cond) { choices_.push_back({cond, {}}); }

void CollectiveOrder::beginPath() { sequences_.emplace_back(); }

void CollectiveOrder::endPath() {
  choices_.back().paths.push_back(std::move(sequences_.back()));
  sequences_.pop_back();
}

void CollectiveOrder::endChoice() {
  const Choice choice = std::move(choices_.back());
  choices_.pop_back();
  unsigned longest = 0;
  for (unsigned i = 1; i < choice.paths.size(); ++i) {
    if (choice.paths[i].size() > choice.paths[longest].size()) longest = i;
    compare(choice, 0, i);
  }
  if (sequences_.empty()) return;
  const Sequence& issued = choice.paths[longest];
  sequences_.back().insert(sequences_.back().end(), issued.begin(), issued.end());
}

void CollectiveOrder::compare(const Choice& choice, unsigned path, unsigned other) {
  const Sequence& a = choice.paths[path];
  const Sequence& b = choice.paths[other];
  const auto same = [](const Issue& x, const Issue& y) {
    return x.identity == y.identity;
  };
  const auto [atA, atB] = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same);
  if (atA == a.end() && atB == b.end()) return;
  // What both have, as often as both have it, in the order of each.
  llvm::DenseMap<unsigned, unsigned> countA;
  llvm::DenseMap<unsigned, unsigned> countB;
  for (const Issue& issue : a) ++countA[issue.identity];
  for (const Issue& issue : b) ++countB[issue.identity];
  const auto common = [](const Sequence& sequence,
                         llvm::DenseMap<unsigned, unsigned> others) {
    Sequence kept;
    for (const Issue& issue : sequence) {
      unsigned& left = others[issue.identity];
      if (left == 0) continue;
      --left;
      kept.push_back(issue);
    }
    return kept;
  };
  const Sequence commonA = common(a, countB);
  const Sequence commonB = common(b, countA);
  const auto [firstA, firstB] =
      std::mismatch(commonA.begin(), commonA.end(), commonB.begin(), same);
  if (firstA != commonA.end()) {
    mismatches_.push_back({choice.cond, path, other, firstA->op, firstB->op, true});
    return;
  }
  mismatches_.push_back({choice.cond, path, other, atA == a.end() ? nullptr : atA->op,
                         atB == b.end() ? nullptr : atB->op, false});
}

}  // namespace thunky::compiler
