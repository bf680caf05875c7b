// Where a run's buffer allocations lie.
#ifndef THUNKY_RUNTIME_BUFFER_TABLE_H_
#define THUNKY_RUNTIME_BUFFER_TABLE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "thunky/hal/memory.h"
#include "thunky/schema/access.h"

namespace thunky::runtime {

// Allocation index to device memory, for one run and one scope: the program's
// own allocations, or the local ones of a fused slice. Slices were verified when
// the program was loaded, so Resolve only does the arithmetic.
class BufferTable {
 public:
  BufferTable() = default;
  explicit BufferTable(std::vector<hal::DeviceSpan> spans) : spans_(std::move(spans)) {}

  hal::DeviceSpan Resolve(const schema::Slice& slice) const {
    return spans_[static_cast<size_t>(slice.allocation)].Slice(
        static_cast<uint64_t>(slice.offset), static_cast<uint64_t>(slice.size));
  }
  const std::vector<hal::DeviceSpan>& spans() const { return spans_; }

 private:
  std::vector<hal::DeviceSpan> spans_;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_BUFFER_TABLE_H_
