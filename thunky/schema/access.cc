#include "thunky/schema/access.h"

#include "absl/strings/str_cat.h"

namespace thunky::schema {

const char* AccessModeName(AccessMode mode) {
  switch (mode) {
    case AccessMode::kRead:
      return "read";
    case AccessMode::kWrite:
      return "write";
    case AccessMode::kReadWrite:
      return "read_write";
    case AccessMode::kWriteAll:
      return "write_all";
  }
  return "unknown access mode";
}

bool Overlap(const Slice& a, const Slice& b) {
  if (a.allocation != b.allocation || a.size <= 0 || b.size <= 0) return false;
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

std::string ToString(const Slice& slice) {
  // The end is computed without a sign, for slices nobody has checked yet.
  const uint64_t end =
      static_cast<uint64_t>(slice.offset) + static_cast<uint64_t>(slice.size);
  return absl::StrCat("allocation ", slice.allocation, " [", slice.offset, ", ",
                      static_cast<int64_t>(end), ")");
}

}  // namespace thunky::schema
