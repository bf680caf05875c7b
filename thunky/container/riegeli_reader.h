// Reads Riegeli/records files.
#ifndef THUNKY_CONTAINER_RIEGELI_READER_H_
#define THUNKY_CONTAINER_RIEGELI_READER_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/container/decompress.h"
#include "thunky/container/read_budget.h"

namespace thunky::riegeli {

struct RecordsFile {
  // In file order. They point into `storage` or into the bytes that were read.
  std::vector<std::string_view> records;
  std::vector<Buffer> storage;
};

// Reads a whole file. All hashes (block headers, chunk headers, chunk data) are
// verified, and everything that comes out of decoding is charged to `budget` before
// it is allocated. Metadata and padding chunks give no records. InvalidArgument for
// damage, with the index and the position of the chunk or block; Unimplemented for
// transposed chunks; ResourceExhausted when the budget does not suffice.
absl::StatusOr<RecordsFile> ReadRecords(std::string_view file, ReadBudget& budget);

}  // namespace thunky::riegeli

#endif  // THUNKY_CONTAINER_RIEGELI_READER_H_
