#include "thunky/compiler/transforms/arena_layout.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "llvm/ADT/ArrayRef.h"

namespace thunky::compiler {
namespace {

int64_t roundedUp(int64_t size) {
  return size / kArenaAlignment * kArenaAlignment +
         (size % kArenaAlignment != 0 ? kArenaAlignment : 0);
}

// Finds buffers by the time they live: those that live at some time begin then or live
// at its start. A binary tree over the ends of all lifetimes; node 1 is the root, and
// node i has the children 2i and 2i + 1.
class LifetimeTree {
 public:
  explicit LifetimeTree(llvm::ArrayRef<ArenaBuffer> buffers) : marks_(buffers.size()) {
    for (const ArenaBuffer& buffer : buffers) {
      for (const TimeSpan& span : buffer.lifetime) {
        times_.push_back(span.first);
        times_.push_back(span.last);
      }
    }
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    while (leaves_ < times_.size()) leaves_ *= 2;
    nodes_.resize(2 * leaves_);
  }

  void insert(size_t buffer, const std::vector<TimeSpan>& lifetime) {
    for (const TimeSpan& span : lifetime) {
      // The fewest nodes that make up the time.
      size_t first = leafOf(span.first), last = leafOf(span.last) + 1;
      nodes_[first].beginning.push_back(buffer);
      for (size_t node = first; node != 0; node /= 2) nodes_[node].begins = true;
      for (; first < last; first /= 2, last /= 2) {
        if (first % 2 != 0) nodes_[first++].living.push_back(buffer);
        if (last % 2 != 0) nodes_[--last].living.push_back(buffer);
      }
    }
  }

  // Appends every buffer that was inserted and lives at a time of these, once.
  void find(const std::vector<TimeSpan>& lifetime, std::vector<size_t>& found) {
    ++mark_;
    for (const TimeSpan& span : lifetime) {
      const size_t leaf = leafOf(span.first);
      for (size_t node = leaf; node != 0; node /= 2) note(nodes_[node].living, found);
      findBeginning(1, {0, leaves_ - 1}, {leaf - leaves_, leafOf(span.last) - leaves_},
                    found);
    }
  }

 private:
  struct Range {
    size_t first;
    size_t last;  // included
  };
  struct Node {
    std::vector<size_t> living;     // all the time of the node, and not of its parent
    std::vector<size_t> beginning;  // at the time of a leaf
    bool begins = false;            // some buffer does in the time of the node
  };

  size_t leafOf(int64_t time) const {
    return leaves_ +
           (std::lower_bound(times_.begin(), times_.end(), time) - times_.begin());
  }

  void note(const std::vector<size_t>& buffers, std::vector<size_t>& found) {
    for (const size_t buffer : buffers) {
      if (std::exchange(marks_[buffer], mark_) != mark_) found.push_back(buffer);
    }
  }

  // As deep as the tree is high.
  void findBeginning(size_t node, Range here, Range wanted, std::vector<size_t>& found) {
    if (!nodes_[node].begins || here.last < wanted.first || wanted.last < here.first) {
      return;
    }
    note(nodes_[node].beginning, found);
    if (here.first == here.last) return;
    const size_t middle = (here.first + here.last) / 2;
    findBeginning(2 * node, {here.first, middle}, wanted, found);
    findBeginning(2 * node + 1, {middle + 1, here.last}, wanted, found);
  }

  std::vector<int64_t> times_;
  size_t leaves_ = 1;
  std::vector<Node> nodes_;
  std::vector<uint64_t> marks_;  // the search that found a buffer last
  uint64_t mark_ = 0;
};

class ArenaLayout {
 public:
  explicit ArenaLayout(std::vector<ArenaBuffer>& buffers)
      : buffers_(buffers), tree_(buffers), conflicts_(buffers.size()) {}

  int64_t run() {
    std::vector<size_t> order(buffers_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return buffers_[a].size > buffers_[b].size;
    });
    for (const size_t index : order) place(index);
    return total_;
  }

 private:
  void place(size_t index) {
    ArenaBuffer& buffer = buffers_[index];
    const int64_t size = roundedUp(buffer.size);
    buffer.offset = size == 0 ? 0 : findPlace(buffer.lifetime, size);
    total_ = std::max(total_, buffer.offset + size);
    if (size == 0 || buffer.lifetime.empty()) return;
    tree_.insert(index, buffer.lifetime);
    newlyPlaced_.push_back(index);
  }

  // The smallest gap between those that live at the same time, or behind them.
  int64_t findPlace(const std::vector<TimeSpan>& lifetime, int64_t size) {
    found_.clear();
    tree_.find(lifetime, found_);
    int64_t end = 0, best = 0, bestRoom = 0;
    const auto pass = [&](size_t other) {
      const int64_t room = buffers_[other].offset - end;
      if (room >= size && (bestRoom == 0 || room < bestRoom)) {
        best = end;
        bestRoom = room;
      }
      end = std::max(end, buffers_[other].offset + roundedUp(buffers_[other].size));
    };
    // By offset: those are sorted here where they are few, and picked out of all that
    // are placed where they are many.
    if (found_.size() * kFewShare < placed_.size() + newlyPlaced_.size()) {
      sortByOffset(found_.begin(), found_.end());
      for (const size_t other : found_) pass(other);
    } else {
      sortPlaced();
      for (const size_t other : found_) conflicts_[other] = true;
      for (const size_t other : placed_) {
        if (conflicts_[other]) pass(other);
      }
      for (const size_t other : found_) conflicts_[other] = false;
    }
    return bestRoom != 0 ? best : end;
  }

  using Iterator = std::vector<size_t>::iterator;

  bool isBefore(size_t a, size_t b) const {
    return buffers_[a].offset < buffers_[b].offset;
  }
  void sortByOffset(Iterator begin, Iterator end) {
    std::sort(begin, end, [&](size_t a, size_t b) { return isBefore(a, b); });
  }

  void sortPlaced() {
    sortByOffset(newlyPlaced_.begin(), newlyPlaced_.end());
    const auto old = static_cast<std::ptrdiff_t>(placed_.size());
    placed_.insert(placed_.end(), newlyPlaced_.begin(), newlyPlaced_.end());
    std::inplace_merge(placed_.begin(), placed_.begin() + old, placed_.end(),
                       [&](size_t a, size_t b) { return isBefore(a, b); });
    newlyPlaced_.clear();
  }

  static constexpr size_t kFewShare = 8;

  std::vector<ArenaBuffer>& buffers_;
  LifetimeTree tree_;
  std::vector<size_t> placed_;  // by offset
  std::vector<size_t> newlyPlaced_;
  std::vector<size_t> found_;
  std::vector<bool> conflicts_;
  int64_t total_ = 0;
};

}  // namespace

int64_t layOutArena(std::vector<ArenaBuffer>& buffers) {
  return ArenaLayout(buffers).run();
}

}  // namespace thunky::compiler
