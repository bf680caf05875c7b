// Device memory: addresses, allocations and what a kernel may touch.
#ifndef THUNKY_HAL_MEMORY_H_
#define THUNKY_HAL_MEMORY_H_

#include <cstdint>
#include <string>
#include <vector>

namespace thunky::hal {

// A run of bytes in a device's memory. On the host device the address is a
// pointer. Does not own.
struct DeviceSpan {
  uint64_t address = 0;
  uint64_t size = 0;

  // The part [offset, offset + size); the caller has checked that it fits.
  DeviceSpan Slice(uint64_t offset, uint64_t length) const {
    return {address + offset, length};
  }
};

// A block of device memory; freed with the object.
class Allocation {
 public:
  virtual ~Allocation() = default;
  virtual DeviceSpan span() const = 0;
};

// Where a kernel may read and write, with a name for messages.
struct MemoryRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool writable = true;
  std::string name;  // "argument 0", "allocation 3", "scratch"
};

// Sorted ranges that do not overlap. Immutable after construction, so it may be
// shared by threads.
class MemoryMap {
 public:
  MemoryMap() = default;
  // Overlapping ranges are joined (writable if one is; the first one's name).
  explicit MemoryMap(std::vector<MemoryRange> ranges);

  // The range that holds all of [address, address + size), or null.
  const MemoryRange* Find(uint64_t address, uint64_t size) const;
  // The range that ends closest below or starts closest above `address`, for
  // messages; null when the map is empty.
  const MemoryRange* Nearest(uint64_t address) const;
  const std::vector<MemoryRange>& ranges() const { return ranges_; }

 private:
  std::vector<MemoryRange> ranges_;
};

}  // namespace thunky::hal

#endif  // THUNKY_HAL_MEMORY_H_
