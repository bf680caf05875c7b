// Whether an array is what a reference says, as NumPy's allclose decides it.
#ifndef THUNKY_TOOLING_COMPARE_H_
#define THUNKY_TOOLING_COMPARE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/tooling/element_type.h"

namespace thunky::tooling {

struct Tolerance {
  double rtol = 1e-5;
  // Absent: rtol times the largest finite magnitude of the reference.
  std::optional<double> atol;
};

struct Comparison {
  bool holds = true;
  uint64_t elements = 0;
  uint64_t mismatches = 0;
  // Of all elements; infinity where only one of the two is a number, or where
  // infinities differ. 0 for an empty array.
  double largest_difference = 0;
  std::vector<uint64_t> index;  // where it is (the first such place)
  std::string found;            // the two elements there
  std::string expected;
  double rtol = 0;  // what was used; 0 for integers and bool
  double atol = 0;
};

// Compares element by element: |found - expected| <= atol + rtol * |expected|.
// Integers and bools must be equal, NaN equals NaN, infinities must be the same.
// Complex numbers are compared by the magnitude of their difference.
// InvalidArgument when a size is not that of the shape, or a tolerance is
// negative or no number.
absl::StatusOr<Comparison> Compare(const ElementType& type,
                                   absl::Span<const uint64_t> shape,
                                   absl::Span<const uint8_t> found,
                                   absl::Span<const uint8_t> expected,
                                   const Tolerance& tolerance);

// "largest difference 2.4e-07 at [3,17] (found 0.1, expected 0.2)", and how many
// elements are out of tolerance when some are.
std::string DescribeComparison(const Comparison& comparison);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMPARE_H_
