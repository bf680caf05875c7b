// Sets of bytes of a buffer.
#ifndef THUNKY_COMPILER_TRANSLATE_BYTE_SET_H_
#define THUNKY_COMPILER_TRANSLATE_BYTE_SET_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace thunky::compiler {

// Ranges [begin, end) that neither overlap nor touch, by their begin.
class ByteSet {
 public:
  bool empty() const { return ranges_.empty(); }

  void add(int64_t begin, int64_t end) {
    if (begin >= end) return;
    auto at = ranges_.upper_bound(begin);
    if (at != ranges_.begin() && std::prev(at)->second >= begin) --at;
    while (at != ranges_.end() && at->first <= end) {
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      at = ranges_.erase(at);
    }
    ranges_[begin] = end;
  }
  void add(const ByteSet& other) {
    for (const auto& [begin, end] : other.ranges_) add(begin, end);
  }

  void remove(int64_t begin, int64_t end) {
    if (begin >= end) return;
    auto at = ranges_.upper_bound(begin);
    if (at != ranges_.begin() && std::prev(at)->second > begin) --at;
    while (at != ranges_.end() && at->first < end) {
      const auto [first, last] = *at;
      at = ranges_.erase(at);
      if (first < begin) ranges_[first] = begin;
      if (last > end) ranges_[end] = last;
    }
  }
  void remove(const ByteSet& other) {
    for (const auto& [begin, end] : other.ranges_) remove(begin, end);
  }

  bool covers(int64_t begin, int64_t end) const {
    if (begin >= end) return true;
    const auto after = ranges_.upper_bound(begin);
    return after != ranges_.begin() && std::prev(after)->second >= end;
  }

  ByteSet intersect(const ByteSet& other) const {
    ByteSet both;
    auto a = ranges_.begin(), b = other.ranges_.begin();
    while (a != ranges_.end() && b != other.ranges_.end()) {
      both.add(std::max(a->first, b->first), std::min(a->second, b->second));
      if (a->second < b->second) {
        ++a;
      } else {
        ++b;
      }
    }
    return both;
  }

  bool operator==(const ByteSet&) const = default;

 private:
  std::map<int64_t, int64_t> ranges_;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_BYTE_SET_H_
