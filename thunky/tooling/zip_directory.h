// The table of contents of a zip archive.
#ifndef THUNKY_TOOLING_ZIP_DIRECTORY_H_
#define THUNKY_TOOLING_ZIP_DIRECTORY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace thunky::tooling {

// One member, as the central directory describes it.
struct ZipEntry {
  std::string name;
  bool deflated = false;  // else stored
  uint32_t crc32 = 0;
  uint64_t compressed_size = 0;  // bytes in the archive
  uint64_t size = 0;             // bytes of content
  uint64_t header_offset = 0;    // of the member's local header
  uint64_t data_offset = 0;      // of its first compressed byte
};

// Whether `bytes` starts as a zip archive does, with members or without.
bool IsZip(absl::Span<const uint8_t> bytes);

// The members in the order of the directory. Zip64 and data descriptors are
// understood. Refused: bytes before, between or after the parts that the format
// knows; members that overlap, share a name, are encrypted or compressed by
// anything but deflate; a local header or descriptor that contradicts the
// directory; archives of several volumes; a declared size that deflate cannot
// reach from the bytes that are there. Costs memory in proportion to `archive`.
absl::StatusOr<std::vector<ZipEntry>> ParseZipDirectory(
    absl::Span<const uint8_t> archive);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_ZIP_DIRECTORY_H_
