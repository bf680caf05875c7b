// Arrays with names, as commands print, save and check them.
#ifndef THUNKY_TOOLING_NAMED_ARRAYS_H_
#define THUNKY_TOOLING_NAMED_ARRAYS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/tooling/compare.h"
#include "thunky/tooling/element_type.h"
#include "thunky/tooling/npz.h"

namespace thunky::tooling {

struct ArraySpec {
  std::string name;
  const ElementType* element = nullptr;
  std::vector<uint64_t> shape;

  // "out0 f32[2,3]"
  std::string ToString() const;
};

struct NamedArray {
  ArraySpec spec;
  std::vector<uint8_t> bytes;  // C order
};

// InvalidArgument, "expected f32[2,3] WHAT, found f64[2,3]", when an array with
// `header` is none of `spec`. `what` may be empty.
absl::Status CheckStored(const ArraySpec& spec, const NpyHeader& header,
                         std::string_view what);

// The number behind `prefix` in a name such as "in3" ("in03" has none).
std::optional<uint64_t> NumberedName(std::string_view name, std::string_view prefix);

// The first values of an array, comma separated.
std::string PreviewArray(const NamedArray& array);

// Writes all arrays to one .npz file.
absl::Status SaveArrays(const std::string& path, absl::Span<const NamedArray> arrays);

// The arrays out0, out1, ... of an .npz file, to compare results with.
class ReferenceArrays {
 public:
  // Opens the file and checks that it holds an array for each of `specs`, of its
  // type and shape, and no further out*. Errors begin with the path.
  static absl::StatusOr<ReferenceArrays> Open(const std::string& path,
                                              absl::Span<const ArraySpec> specs);

  absl::StatusOr<Comparison> CompareWith(const NamedArray& found,
                                         const Tolerance& tolerance) const;

 private:
  ReferenceArrays(std::string path, NpzReader reader)
      : path_(std::move(path)), reader_(std::move(reader)) {}

  std::string path_;
  NpzReader reader_;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_NAMED_ARRAYS_H_
