// Writes Riegeli/records files.
#ifndef THUNKY_CONTAINER_RIEGELI_WRITER_H_
#define THUNKY_CONTAINER_RIEGELI_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/container/riegeli_format.h"

namespace thunky::riegeli {

// Builds a file chunk by chunk. The constructor writes the signature.
class ChunkWriter {
 public:
  ChunkWriter();

  // Adds a chunk whose data are encoded already. `num_records` is below 2^56.
  void Add(ChunkType type, uint64_t num_records, uint64_t decoded_size,
           std::string_view data);

  // The file so far.
  std::string Finish() && { return std::move(file_); }

 private:
  void Append(std::string_view bytes, uint64_t chunk_begin, uint64_t chunk_end);

  std::string file_;
};

struct WriteOptions {
  // kNone or kSnappy.
  Compression compression = Compression::kSnappy;
  // A record goes into a new chunk when it would make one larger than this.
  uint64_t chunk_size = uint64_t{1} << 20;
};

// A file of simple chunks with these records. InvalidArgument for a compression that
// is only read.
absl::StatusOr<std::string> WriteRecords(absl::Span<const std::string_view> records,
                                         const WriteOptions& options = {});

}  // namespace thunky::riegeli

#endif  // THUNKY_CONTAINER_RIEGELI_WRITER_H_
