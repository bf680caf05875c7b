// NumPy's .npy format, read strictly and written in its first version.
#ifndef THUNKY_TOOLING_NPY_H_
#define THUNKY_TOOLING_NPY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace thunky::tooling {

// NumPy's idea of an element: what stands behind the byte order in a `descr`.
// Kinds: 'b' bool, 'i' and 'u' integers, 'f' floats, 'c' complex numbers, 'V'
// bytes whose meaning the file does not say (how NumPy stores bfloat16, float8
// and the other types of ml_dtypes).
struct NpyType {
  char kind = 'f';
  uint32_t size = 4;  // bytes of one element

  bool operator==(const NpyType&) const = default;
  // "f4", "b1", "V2"
  std::string ToString() const;
};

// What the first bytes of a .npy file say.
struct NpyHeader {
  NpyType type;
  bool fortran_order = false;
  std::vector<uint64_t> shape;
  uint64_t data_offset = 0;  // bytes before the data
  uint64_t data_size = 0;    // bytes of data: the product of shape times type.size
};

// An array in C order, little endian.
struct Array {
  NpyType type;
  std::vector<uint64_t> shape;
  std::vector<uint8_t> data;
};

// No header is longer: an array of 64 dimensions needs less than 2 KiB.
inline constexpr uint64_t kMaxNpyHeaderBytes = 16 * 1024;

// "f4[2,3]"; "f4[]" for a scalar.
std::string DescribeArray(const NpyType& type, absl::Span<const uint64_t> shape);
// "[2,3]"
std::string DescribeShape(absl::Span<const uint64_t> shape);

// Whether `bytes` starts as a .npy file does.
bool IsNpy(absl::Span<const uint8_t> bytes);

// Reads the header at the start of `bytes`; what follows it need not be there.
// Versions 1.0, 2.0 and 3.0. Unimplemented, by name: big-endian data, records,
// strings, objects, dates. InvalidArgument: anything else that is not a header,
// more than 64 dimensions, a size that does not fit 63 bits.
absl::StatusOr<NpyHeader> ParseNpyHeader(absl::Span<const uint8_t> bytes);

// A whole file. The data must be exactly as long as the header says. Fortran
// order is put into C order.
absl::StatusOr<Array> ParseNpy(std::vector<uint8_t> bytes);

// A version 1.0 file; the data starts at a multiple of 64 bytes. `data` is in
// C order and of the size that type and shape give (InvalidArgument otherwise).
absl::StatusOr<std::vector<uint8_t>> SerializeNpy(const NpyType& type,
                                                  absl::Span<const uint64_t> shape,
                                                  absl::Span<const uint8_t> data);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_NPY_H_
