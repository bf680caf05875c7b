#include "thunky/compiler/transforms/arena_layout.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "llvm/ADT/ArrayRef.h"

namespace thunky::compiler {
namespace {

int64_t roundedUp(int64_t size) {
  return size / kArenaAlignment * kArenaAlignment +
         (size % kArenaAlignment != 0 ? kArenaAlignment : 0);
}

// Finds buffers by the time they live: a segment tree over the ends of all lifetimes.
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
      insert(1, {0, leaves_ - 1}, rangeOf(span), buffer);
    }
  }

  // Appends every buffer that was inserted and lives at a time of these, once.
  void find(const std::vector<TimeSpan>& lifetime, std::vector<size_t>& found) {
    ++mark_;
    for (const TimeSpan& span : lifetime) {
      find(1, {0, leaves_ - 1}, rangeOf(span), found);
    }
  }

 private:
  struct Range {
    size_t first;
    size_t last;  // included
  };
  struct Node {
    std::vector<size_t> buffers;  // that live all the time of the node
    bool used = false;            // there is one in the node or below it
  };

  Range rangeOf(const TimeSpan& span) const {
    const auto place = [&](int64_t time) {
      return static_cast<size_t>(std::lower_bound(times_.begin(), times_.end(), time) -
                                 times_.begin());
    };
    return {place(span.first), place(span.last)};
  }

  static std::pair<Range, Range> halves(Range range) {
    const size_t middle = (range.first + range.last) / 2;
    return {{range.first, middle}, {middle + 1, range.last}};
  }
  static bool meet(Range a, Range b) { return a.first <= b.last && b.first <= a.last; }

  void insert(size_t node, Range here, Range wanted, size_t buffer) {
    if (!meet(here, wanted)) return;
    nodes_[node].used = true;
    if (wanted.first <= here.first && here.last <= wanted.last) {
      nodes_[node].buffers.push_back(buffer);
      return;
    }
    const auto [left, right] = halves(here);
    insert(2 * node, left, wanted, buffer);
    insert(2 * node + 1, right, wanted, buffer);
  }

  void find(size_t node, Range here, Range wanted, std::vector<size_t>& found) {
    if (!nodes_[node].used || !meet(here, wanted)) return;
    for (const size_t buffer : nodes_[node].buffers) {
      if (std::exchange(marks_[buffer], mark_) != mark_) found.push_back(buffer);
    }
    if (here.first == here.last) return;
    const auto [left, right] = halves(here);
    find(2 * node, left, wanted, found);
    find(2 * node + 1, right, wanted, found);
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
    placed_.emplace(buffer.offset, index);
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
    // Those by offset: sorted here where they are few, found among all where they are
    // many.
    if (found_.size() * kFewShare < placed_.size()) {
      std::sort(found_.begin(), found_.end(), [&](size_t a, size_t b) {
        return buffers_[a].offset < buffers_[b].offset;
      });
      for (const size_t other : found_) pass(other);
    } else {
      for (const size_t other : found_) conflicts_[other] = true;
      for (const auto& [offset, other] : placed_) {
        if (conflicts_[other]) pass(other);
      }
      for (const size_t other : found_) conflicts_[other] = false;
    }
    return bestRoom != 0 ? best : end;
  }

  static constexpr size_t kFewShare = 8;

  std::vector<ArenaBuffer>& buffers_;
  LifetimeTree tree_;
  std::set<std::pair<int64_t, size_t>> placed_;  // offset, buffer
  std::vector<size_t> found_;
  std::vector<bool> conflicts_;
  int64_t total_ = 0;
};

}  // namespace

int64_t layOutArena(std::vector<ArenaBuffer>& buffers) {
  return ArenaLayout(buffers).run();
}

}  // namespace thunky::compiler
