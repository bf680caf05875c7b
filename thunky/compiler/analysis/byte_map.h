// A value for each byte of a buffer, kept by ranges.
#ifndef THUNKY_COMPILER_ANALYSIS_BYTE_MAP_H_
#define THUNKY_COMPILER_ANALYSIS_BYTE_MAP_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace thunky::compiler {

// Disjoint pieces [begin, end), each with a value. Bytes between them have none. A
// change of k pieces costs k times the logarithm of their number.
template <typename T>
class ByteMap {
 public:
  struct Piece {
    int64_t end;
    T value;
  };
  using Pieces = std::map<int64_t, Piece>;
  using Iterator = typename Pieces::iterator;

  bool empty() const { return pieces_.empty(); }
  const Pieces& pieces() const { return pieces_; }

  // The first piece that ends after `begin`; the pieces of [begin, end) are from here on
  // those that begin before `end`.
  Iterator from(int64_t begin) {
    auto at = pieces_.upper_bound(begin);
    if (at != pieces_.begin() && std::prev(at)->second.end > begin) --at;
    return at;
  }
  Iterator end() { return pieces_.end(); }
  Iterator erase(Iterator at) { return pieces_.erase(at); }

  // Calls visit(first, last, value) for the part in [begin, end) of each piece.
  template <typename Visit>
  void visit(int64_t begin, int64_t end, const Visit& visit) {
    for (auto at = from(begin); at != pieces_.end() && at->first < end; ++at) {
      visit(std::max(begin, at->first), std::min(end, at->second.end), at->second.value);
    }
  }

  // Gives the bytes [begin, end), at least one, this value.
  void set(int64_t begin, int64_t end, T value) {
    cut(begin);
    cut(end);
    pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(end));
    pieces_.emplace(begin, Piece{end, std::move(value)});
  }

  // Changes the value of each byte of [begin, end): those that have none get T() first.
  template <typename Change>
  void change(int64_t begin, int64_t end, const Change& change) {
    cut(begin);
    cut(end);
    int64_t next = begin;
    for (auto at = pieces_.lower_bound(begin); next < end; ++at) {
      if (at == pieces_.end() || at->first > next) {
        const int64_t until = at == pieces_.end() ? end : std::min(end, at->first);
        at = pieces_.emplace(next, Piece{until, T()}).first;
      }
      change(at->first, at->second.end, at->second.value);
      next = at->second.end;
    }
  }

 private:
  // Makes `at` the border of two pieces if it lies in one.
  void cut(int64_t at) {
    auto piece = pieces_.upper_bound(at);
    if (piece == pieces_.begin()) return;
    --piece;
    if (piece->first == at || piece->second.end <= at) return;
    pieces_.emplace(at, piece->second);
    piece->second.end = at;
  }

  Pieces pieces_;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_ANALYSIS_BYTE_MAP_H_
