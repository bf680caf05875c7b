// Kernel code into files.
#ifndef THUNKY_TOOLING_CODE_EXTRACTION_H_
#define THUNKY_TOOLING_CODE_EXTRACTION_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace thunky::tooling {

struct CodeBlob {
  std::string entry;           // of a kernel in it; names the file
  std::string_view extension;  // ".ptx", ".cubin"
  std::string_view bytes;
};

// `entry` as a file name: letters, digits, `_`, `-` and `.` stay, all else becomes
// `_`; never empty, hidden, a path, or longer than 100 bytes.
std::string SafeFileName(std::string_view entry);

// Writes each code once, however often it is listed, into `folder`, which is
// created when it is missing. Names that collide get `_2`, `_3`. Returns the paths
// in the order of the blobs, without the repetitions.
absl::StatusOr<std::vector<std::string>> ExtractCode(const std::string& folder,
                                                     absl::Span<const CodeBlob> blobs);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_CODE_EXTRACTION_H_
