// NumPy's .npz: a zip archive of .npy members.
#ifndef THUNKY_TOOLING_NPZ_H_
#define THUNKY_TOOLING_NPZ_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/tooling/npy.h"
#include "thunky/tooling/zip_reader.h"
#include "thunky/tooling/zip_writer.h"

namespace thunky::tooling {

// The arrays of an archive by name; decoded one at a time, when asked for, so
// that a caller can look at the type before it pays for the data.
class NpzReader {
 public:
  // Takes an archive whose members all end in ".npy", and no two of which have
  // one name. Errors as of ParseZipDirectory.
  static absl::StatusOr<NpzReader> Open(std::vector<uint8_t> bytes);

  // Sorted, without ".npy".
  std::vector<std::string> names() const;
  bool contains(std::string_view name) const;

  // NotFound for a name that is not there; errors name the array. A header is
  // InvalidArgument when its data_size is not what the member holds.
  absl::StatusOr<NpyHeader> Header(std::string_view name) const;
  absl::StatusOr<Array> Read(std::string_view name) const;

 private:
  explicit NpzReader(ZipReader zip) : zip_(std::move(zip)) {}
  absl::StatusOr<const ZipEntry*> Find(std::string_view name) const;

  ZipReader zip_;
  std::map<std::string, size_t, std::less<>> index_;  // name to zip entry
};

class NpzWriter {
 public:
  explicit NpzWriter(const ZipWriterOptions& options = {}) : zip_(options) {}

  absl::Status Add(std::string_view name, const NpyType& type,
                   absl::Span<const uint64_t> shape, absl::Span<const uint8_t> data);
  absl::StatusOr<std::vector<uint8_t>> Finish() &&;

 private:
  ZipWriter zip_;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_NPZ_H_
