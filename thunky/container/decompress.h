// Decompression into a buffer of known size.
#ifndef THUNKY_CONTAINER_DECOMPRESS_H_
#define THUNKY_CONTAINER_DECOMPRESS_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "thunky/container/read_budget.h"
#include "thunky/container/riegeli_format.h"

namespace thunky::riegeli {

// Bytes that may own their memory. Moving it leaves `bytes` valid.
struct Buffer {
  std::unique_ptr<char[]> storage;  // null: `bytes` belongs to somebody else
  std::string_view bytes;
};

// What `compressed` decodes to, which must be `decoded_size` bytes: less or more is an
// error, found without decoding more than that. The size is charged to the budget
// first, as `what`. Bytes that are not compressed are not copied.
absl::StatusOr<Buffer> Decompress(Compression compression, std::string_view compressed,
                                  uint64_t decoded_size, ReadBudget& budget,
                                  std::string_view what);

// "no", "brotli", "zstd", "snappy"; empty for a byte that names none.
std::string_view CompressionName(Compression compression);

}  // namespace thunky::riegeli

#endif  // THUNKY_CONTAINER_DECOMPRESS_H_
