// What a thunk reads and writes, as byte ranges of buffer allocations.
#ifndef THUNKY_SCHEMA_ACCESS_H_
#define THUNKY_SCHEMA_ACCESS_H_

#include <cstdint>
#include <string>

#include "proto/buffers.pb.h"

namespace thunky::schema {

// kRead: read only. kWrite: written, and some old bytes may remain or matter.
// kReadWrite: certainly read, and written. kWriteAll: every byte is written and
// the old value is not used.
enum class AccessMode { kRead, kWrite, kReadWrite, kWriteAll };

inline bool Writes(AccessMode mode) { return mode != AccessMode::kRead; }
// "read", "write", "read_write", "write_all".
const char* AccessModeName(AccessMode mode);

// The bytes [offset, offset + size) of a buffer allocation.
struct Slice {
  int64_t allocation = 0;
  int64_t offset = 0;
  int64_t size = 0;

  bool operator==(const Slice&) const = default;
};

inline Slice SliceOf(const wire::BufferAllocationSliceProto& proto) {
  return {proto.buffer_allocation_index(), proto.offset(), proto.size()};
}
inline Slice SliceOf(const wire::ShapedSliceProto& proto) {
  return SliceOf(proto.slice());
}

// Whether two slices share a byte. Both must have passed verification, so that
// offset + size does not overflow. A slice of zero bytes shares none.
bool Overlap(const Slice& a, const Slice& b);

// "allocation 3 [256, 512)".
std::string ToString(const Slice& slice);

struct Access {
  Slice slice;
  AccessMode mode = AccessMode::kRead;
  std::string role;  // the payload's own name: "args[2]", "workspace"
  // Room to work in, kWriteAll: what is left there means nothing to anybody.
  bool workspace = false;
};

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_ACCESS_H_
