#include "thunky/hal/memory.h"

#include <algorithm>
#include <utility>

namespace thunky::hal {

MemoryMap::MemoryMap(std::vector<MemoryRange> ranges) {
  std::erase_if(ranges, [](const MemoryRange& r) { return r.begin >= r.end; });
  std::stable_sort(
      ranges.begin(), ranges.end(),
      [](const MemoryRange& a, const MemoryRange& b) { return a.begin < b.begin; });
  for (MemoryRange& range : ranges) {
    if (!ranges_.empty() && range.begin < ranges_.back().end) {
      ranges_.back().end = std::max(ranges_.back().end, range.end);
      ranges_.back().writable |= range.writable;
    } else {
      ranges_.push_back(std::move(range));
    }
  }
}

const MemoryRange* MemoryMap::Find(uint64_t address, uint64_t size) const {
  auto it =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](uint64_t a, const MemoryRange& r) { return a < r.begin; });
  if (it == ranges_.begin()) return nullptr;
  --it;
  // Written so that address + size cannot wrap.
  if (address > it->end || size > it->end - address) return nullptr;
  return &*it;
}

const MemoryRange* MemoryMap::Nearest(uint64_t address) const {
  const MemoryRange* best = nullptr;
  uint64_t best_distance = UINT64_MAX;
  for (const MemoryRange& range : ranges_) {
    uint64_t distance = 0;
    if (address < range.begin) distance = range.begin - address;
    if (address >= range.end) distance = address - range.end;
    if (best == nullptr || distance < best_distance) {
      best = &range;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace thunky::hal
