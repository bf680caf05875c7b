#include "thunky/tooling/alignment.h"

#include <algorithm>
#include <map>

namespace thunky::tooling {
namespace {

using Keys = absl::Span<const AlignmentKey>;

// More than all elements that are alike can be worth together.
constexpr uint64_t kEqual = uint64_t{1} << 32;

// Two of one kind are worth more than one of one name.
constexpr uint64_t kSameName = 3;
constexpr uint64_t kSameKind = 2;

// Stretches whose lengths multiply to more than this are not looked at pair by pair.
constexpr size_t kMaxTable = size_t{1} << 20;

struct Position {
  size_t a = 0;
  size_t b = 0;
};

class Aligner {
 public:
  Aligner(Keys a, Keys b) : a_(a), b_(b) {}

  std::vector<AlignedPair> Run() && {
    Position begin;
    Position end{a_.size(), b_.size()};
    while (begin.a < end.a && begin.b < end.b && Equal(begin)) Pair(begin.a++, begin.b++);
    size_t tail = 0;
    while (begin.a < end.a && begin.b < end.b && Equal({end.a - 1, end.b - 1})) {
      --end.a;
      --end.b;
      ++tail;
    }
    for (const Position& anchor : Anchors(begin, end)) {
      Stretch(begin, anchor);
      Pair(anchor.a, anchor.b);
      begin = {anchor.a + 1, anchor.b + 1};
    }
    Stretch(begin, end);
    for (size_t i = 0; i < tail; ++i) Pair(end.a + i, end.b + i);
    return std::move(pairs_);
  }

 private:
  bool Equal(Position at) const { return a_[at.a].exact == b_[at.b].exact; }
  void Pair(size_t a, size_t b) { pairs_.push_back({a, b}); }
  void OnlyA(size_t a) { pairs_.push_back({a, std::nullopt}); }
  void OnlyB(size_t b) { pairs_.push_back({std::nullopt, b}); }

  // 0: not to be paired.
  uint64_t Worth(size_t a, size_t b) const {
    if (a_[a].exact == b_[b].exact) return kEqual;
    if (a_[a].kind != b_[b].kind) return 0;
    return a_[a].name == b_[b].name ? kSameName : kSameKind;
  }

  // Elements that are equal and occur once in either list between `begin` and `end`, as
  // many as there are in one order.
  std::vector<Position> Anchors(Position begin, Position end) const {
    struct Seen {
      Position at;
      size_t in_a = 0;
      size_t in_b = 0;
    };
    std::map<uint64_t, Seen> seen;
    for (size_t i = begin.a; i < end.a; ++i) {
      Seen& entry = seen[a_[i].exact];
      entry.at.a = i;
      ++entry.in_a;
    }
    for (size_t i = begin.b; i < end.b; ++i) {
      Seen& entry = seen[b_[i].exact];
      entry.at.b = i;
      ++entry.in_b;
    }
    std::vector<Position> unique;
    for (const auto& [key, entry] : seen) {
      if (entry.in_a == 1 && entry.in_b == 1) unique.push_back(entry.at);
    }
    std::sort(unique.begin(), unique.end(),
              [](const Position& x, const Position& y) { return x.a < y.a; });
    return LongestRising(unique);
  }

  // The longest subsequence whose positions in b rise, as those in a do.
  static std::vector<Position> LongestRising(const std::vector<Position>& positions) {
    constexpr size_t kNone = ~size_t{0};
    std::vector<size_t> ends;  // of the best subsequence of each length
    std::vector<size_t> before(positions.size(), kNone);
    for (size_t i = 0; i < positions.size(); ++i) {
      const auto at = std::lower_bound(
          ends.begin(), ends.end(), positions[i].b,
          [&](size_t index, size_t value) { return positions[index].b < value; });
      if (at != ends.begin()) before[i] = *(at - 1);
      if (at == ends.end()) {
        ends.push_back(i);
      } else {
        *at = i;
      }
    }
    std::vector<Position> rising;
    for (size_t i = ends.empty() ? kNone : ends.back(); i != kNone; i = before[i]) {
      rising.push_back(positions[i]);
    }
    std::reverse(rising.begin(), rising.end());
    return rising;
  }

  // Elements from `begin` to `end`.
  void Stretch(Position begin, Position end) {
    const size_t rows = end.a - begin.a;
    const size_t columns = end.b - begin.b;
    if (rows != 0 && columns > kMaxTable / rows) {
      ByPosition(begin, end);
    } else {
      ByWorth(begin, rows, columns);
    }
  }

  void ByPosition(Position at, Position end) {
    for (; at.a < end.a && at.b < end.b; ++at.a, ++at.b) {
      if (Worth(at.a, at.b) != 0) {
        Pair(at.a, at.b);
      } else {
        OnlyA(at.a);
        OnlyB(at.b);
      }
    }
    for (; at.a < end.a; ++at.a) OnlyA(at.a);
    for (; at.b < end.b; ++at.b) OnlyB(at.b);
  }

  // The pairing of the highest worth in total, from a table of the best that the
  // elements from each place on can reach.
  void ByWorth(Position begin, size_t rows, size_t columns) {
    std::vector<uint64_t> best((rows + 1) * (columns + 1), 0);
    const auto at = [&](size_t row, size_t column) -> uint64_t& {
      return best[row * (columns + 1) + column];
    };
    for (size_t row = rows; row-- > 0;) {
      for (size_t column = columns; column-- > 0;) {
        const uint64_t worth = Worth(begin.a + row, begin.b + column);
        at(row, column) =
            std::max({at(row + 1, column), at(row, column + 1),
                      worth == 0 ? uint64_t{0} : worth + at(row + 1, column + 1)});
      }
    }
    size_t row = 0;
    size_t column = 0;
    while (row < rows && column < columns) {
      const uint64_t worth = Worth(begin.a + row, begin.b + column);
      if (worth != 0 && at(row, column) == worth + at(row + 1, column + 1)) {
        Pair(begin.a + row++, begin.b + column++);
      } else if (at(row, column) == at(row + 1, column)) {
        OnlyA(begin.a + row++);
      } else {
        OnlyB(begin.b + column++);
      }
    }
    while (row < rows) OnlyA(begin.a + row++);
    while (column < columns) OnlyB(begin.b + column++);
  }

  Keys a_;
  Keys b_;
  std::vector<AlignedPair> pairs_;
};

}  // namespace

std::vector<AlignedPair> Align(Keys a, Keys b) { return Aligner(a, b).Run(); }

}  // namespace thunky::tooling
