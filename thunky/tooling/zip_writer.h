// Zip archives with stored or deflated members. The same calls give the same
// bytes: members carry no time of day.
#ifndef THUNKY_TOOLING_ZIP_WRITER_H_
#define THUNKY_TOOLING_ZIP_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace thunky::tooling {

struct ZipWriterOptions {
  bool deflate = false;
  // Use the 64-bit fields even where the 32-bit ones would do. They are always
  // used where they are needed.
  bool always_zip64 = false;
};

class ZipWriter {
 public:
  explicit ZipWriter(const ZipWriterOptions& options) : options_(options) {}

  // AlreadyExists for a name that was added before; InvalidArgument for one
  // longer than 65535 bytes.
  absl::Status Add(std::string_view name, absl::Span<const uint8_t> content);
  // The archive. Nothing can be added after.
  absl::StatusOr<std::vector<uint8_t>> Finish() &&;

 private:
  struct Member {
    std::string name;
    uint16_t method = 0;
    uint32_t crc32 = 0;
    uint64_t compressed_size = 0;
    uint64_t size = 0;
    uint64_t offset = 0;
  };

  bool NeedsZip64(uint64_t a, uint64_t b) const;
  void AppendDirectoryEntry(const Member& member);

  ZipWriterOptions options_;
  std::vector<uint8_t> bytes_;
  std::vector<Member> members_;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_ZIP_WRITER_H_
