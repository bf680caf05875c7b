// Zip archives as .npz uses them: stored and deflated members, read strictly.
#ifndef THUNKY_TOOLING_ZIP_READER_H_
#define THUNKY_TOOLING_ZIP_READER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/tooling/zip_directory.h"

namespace thunky::tooling {

// An archive in memory.
class ZipReader {
 public:
  // Reads the directory (see zip_directory.h for what is refused).
  static absl::StatusOr<ZipReader> Open(std::vector<uint8_t> bytes);

  // In the order of the directory.
  const std::vector<ZipEntry>& entries() const { return entries_; }

  // The first bytes of a member's content, at most `length`; no CRC is checked.
  absl::StatusOr<std::vector<uint8_t>> ReadPrefix(const ZipEntry& entry,
                                                  uint64_t length) const;
  // All of a member, its length and CRC checked. ResourceExhausted, before
  // anything is allocated, when it is larger than `max_bytes`.
  absl::StatusOr<std::vector<uint8_t>> Read(const ZipEntry& entry,
                                            uint64_t max_bytes) const;

 private:
  ZipReader(std::vector<uint8_t> bytes, std::vector<ZipEntry> entries)
      : bytes_(std::move(bytes)), entries_(std::move(entries)) {}

  std::vector<uint8_t> bytes_;
  std::vector<ZipEntry> entries_;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_ZIP_READER_H_
