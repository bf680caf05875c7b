#include "thunky/compiler/transforms/lifetimes.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/byte_set.h"

namespace thunky::compiler {
namespace {

using Uses = llvm::ArrayRef<BufferUse>;

// The bytes that are needed before some work, as a function of those that are needed
// after it: `reads` and those that it does not write anew.
struct Needs {
  ByteSet reads;
  ByteSet replaces;

  void applyTo(ByteSet& needed) const {
    needed.remove(replaces);
    needed.add(reads);
  }
};

// Of work `first` and then `second`, which becomes both.
void prepend(const Needs& first, Needs& second) {
  first.applyTo(second.reads);
  second.replaces.add(first.replaces);
}

// Accesses in no order, or of one thunk: nothing is seen that another one writes first.
Needs needsOfAll(Uses uses) {
  Needs needs;
  for (const BufferUse& use : uses) {
    const bool replaces = use.mode == schema::AccessMode::kWriteAll;
    (replaces ? needs.replaces : needs.reads).add(use.offset, use.offset + use.size);
  }
  return needs;
}

// What is issued at one place of a list: a thunk, or an operation with regions.
struct Item {
  const TimeScope* scope = nullptr;
  Uses uses;
  TimeSpan slots;
};

Uses usesIn(Uses uses, const TimeSpan& slots) {
  const auto before = [](const BufferUse& use, int64_t slot) { return use.slot < slot; };
  const auto* begin = std::lower_bound(uses.begin(), uses.end(), slots.first, before);
  const auto* end = std::lower_bound(begin, uses.end(), slots.last + 1, before);
  return {begin, end};
}

// The scope in `list` around a use, or the one that the use is of.
const TimeScope* scopeOf(const TimeList& list, const BufferUse& use) {
  if (use.list == &list) return use.scope;
  const TimeList* inner = use.list;
  while (inner->owner->list != &list) inner = inner->owner->list;
  return inner->owner;
}

// `uses` are those in the list.
std::vector<Item> itemsOf(const TimeList& list, Uses uses) {
  std::vector<Item> items;
  while (!uses.empty()) {
    Item item;
    item.scope = scopeOf(list, uses.front());
    item.slots = {uses.front().slot, uses.front().slot};
    if (item.scope != nullptr) item.slots = item.scope->slots;
    item.uses = usesIn(uses, item.slots);
    uses = uses.drop_front(item.uses.size());
    items.push_back(item);
  }
  return items;
}

// Uses of the operation itself come before those in its regions.
Uses ownUses(const Item& item) {
  return item.uses.take_while(
      [&](const BufferUse& use) { return use.scope == item.scope; });
}

Needs needsOf(const Item& item);

Needs needsOf(const TimeList& list, Uses uses) {
  Needs needs;
  std::vector<Item> items = itemsOf(list, uses);
  for (const Item& item : llvm::reverse(items)) prepend(needsOf(item), needs);
  return needs;
}

Needs needsOfRegion(const Item& item, size_t region) {
  const TimeList& list = item.scope->lists[region];
  return needsOf(list, usesIn(item.uses, list.slots));
}

Needs needsOfBranches(const Item& item) {
  Needs needs;
  for (size_t i = 0; i < item.scope->lists.size(); ++i) {
    Needs branch = needsOfRegion(item, i);
    needs.reads.add(branch.reads);
    needs.replaces =
        i == 0 ? std::move(branch.replaces) : needs.replaces.intersect(branch.replaces);
  }
  needs.reads.add(needsOfAll(ownUses(item)).reads);
  return needs;
}

// A loop whose condition region runs first and after each iteration, or one that runs a
// number of times and whose condition region counts although it does not run.
class Loop {
 public:
  Loop(const Item& item, WhileOp op)
      : cond_(needsOfRegion(item, 0)),
        body_(needsOfRegion(item, 1)),
        condition_(needsOfAll(ownUses(item)).reads),
        trips_(op.getTripCount()) {}

  // Before the loop, as a function of what is needed after it.
  Needs needs() const {
    Needs needs;
    needs.reads = atStart({});
    if (!trips_.has_value()) {
      needs.replaces = cond_.replaces;
    } else if (*trips_ > 0) {
      needs.replaces = body_.replaces;
    }
    return needs;
  }

  // What is needed before the loop and before each iteration, where `after` is needed
  // after the loop.
  ByteSet atStart(const ByteSet& after) const {
    ByteSet needed = after;
    if (!trips_.has_value()) {
      // Once around is enough: what a second iteration needs, the first one lets through
      // or needs itself.
      needed.add(condition_);
      needed.add(body_.reads);
      cond_.applyTo(needed);
      return needed;
    }
    body_.applyTo(needed);
    needed.add(cond_.reads);
    needed.add(condition_);
    if (*trips_ == 0) needed.add(after);
    return needed;
  }

  ByteSet afterCondition(const ByteSet& after) const {
    ByteSet needed = atStart(after);
    if (!trips_.has_value()) body_.applyTo(needed);
    needed.add(condition_);
    needed.add(after);
    return needed;
  }

  // After an iteration.
  ByteSet afterBody(const ByteSet& after) const {
    ByteSet needed = atStart(after);
    if (trips_.has_value()) needed.add(after);
    return needed;
  }

 private:
  Needs cond_;
  Needs body_;
  ByteSet condition_;
  std::optional<uint64_t> trips_;
};

Needs needsOf(const Item& item) {
  if (item.scope == nullptr) return needsOfAll(item.uses);
  mlir::Operation* op = item.scope->op;
  if (llvm::isa<CondOp>(op)) return needsOfBranches(item);
  if (auto loop = llvm::dyn_cast<WhileOp>(op)) return Loop(item, loop).needs();
  if (llvm::isa<CollectiveGroupOp>(op)) return needsOfAll(item.uses);
  if (llvm::isa<AsyncStartOp>(op)) return needsOfRegion(item, 0);
  // Of an operation that nobody thought of here anything may run, or nothing.
  Needs needs = needsOfAll(item.uses);
  needs.reads.add(needs.replaces);
  needs.replaces = {};
  return needs;
}

class LifetimeFinder {
 public:
  // `needed` are the bytes needed after the list, `used` says whether the buffer may
  // have been accessed before it.
  void visit(const TimeList& list, Uses uses, ByteSet needed, bool used) {
    const std::vector<Item> items = itemsOf(list, uses);
    int64_t next = list.slots.last;
    for (size_t i = items.size(); i-- > 0;) {
      const Item& item = items[i];
      if (!needed.empty()) add(item.slots.last, next);
      visitItem(item, needed, used || i > 0);
      needsOf(item).applyTo(needed);
      next = item.slots.first;
    }
    if (used && !needed.empty()) add(list.slots.first, next);
  }

  std::vector<TimeSpan> finish() {
    std::sort(spans_.begin(), spans_.end(),
              [](const TimeSpan& a, const TimeSpan& b) { return a.first < b.first; });
    std::vector<TimeSpan> merged;
    for (const TimeSpan& span : spans_) {
      if (!merged.empty() && span.first <= merged.back().last + 1) {
        merged.back().last = std::max(merged.back().last, span.last);
      } else {
        merged.push_back(span);
      }
    }
    return merged;
  }

 private:
  void add(int64_t first, int64_t last) { spans_.push_back({first, last}); }

  void visitItem(const Item& item, const ByteSet& after, bool used) {
    mlir::Operation* op = item.scope != nullptr ? item.scope->op : nullptr;
    if (op != nullptr && llvm::isa<CondOp>(op)) {
      const bool isIndex = !ownUses(item).empty();
      if (isIndex) add(item.slots.first, item.slots.first);
      for (size_t i = 0; i < item.scope->lists.size(); ++i) {
        visitRegion(item, i, after, used || isIndex);
      }
    } else if (op != nullptr && llvm::isa<WhileOp>(op)) {
      // An iteration may have come before.
      const Loop loop(item, llvm::cast<WhileOp>(op));
      visitRegion(item, 0, loop.afterCondition(after), true);
      visitRegion(item, 1, loop.afterBody(after), true);
    } else {
      add(item.slots.first,
          item.scope != nullptr ? item.scope->finished : item.slots.last);
    }
  }

  void visitRegion(const Item& item, size_t region, const ByteSet& after, bool used) {
    const TimeList& list = item.scope->lists[region];
    visit(list, usesIn(item.uses, list.slots), after, used);
  }

  std::vector<TimeSpan> spans_;
};

}  // namespace

std::vector<TimeSpan> lifetimeOf(const ProgramTimeline& timeline, Uses uses) {
  LifetimeFinder finder;
  finder.visit(timeline.main(), uses, {}, false);
  return finder.finish();
}

}  // namespace thunky::compiler
