#include "thunky/tooling/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace thunky::tooling {
namespace {

using Bytes = absl::Span<const uint8_t>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How far one element is off, and how far it may be.
struct Difference {
  double size = 0;
  bool within = true;
};

uint64_t Distance(int64_t a, int64_t b) {
  const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  return a > b ? x - y : y - x;
}

uint64_t Distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

Difference CompareFloats(double found, double expected, const Comparison& limits) {
  if (std::isnan(found) && std::isnan(expected)) return {};
  if (!std::isfinite(found) || !std::isfinite(expected)) {
    return found == expected ? Difference{} : Difference{kInfinity, false};
  }
  const double size = std::abs(found - expected);
  return {size, size <= limits.atol + limits.rtol * std::abs(expected)};
}

Difference CompareComplex(std::complex<double> found, std::complex<double> expected,
                          const Comparison& limits) {
  auto is_nan = [](std::complex<double> value) {
    return std::isnan(value.real()) || std::isnan(value.imag());
  };
  auto is_finite = [](std::complex<double> value) {
    return std::isfinite(value.real()) && std::isfinite(value.imag());
  };
  if (is_nan(found) && is_nan(expected)) return {};
  if (!is_finite(found) || !is_finite(expected)) {
    return found == expected ? Difference{} : Difference{kInfinity, false};
  }
  const double size = std::abs(found - expected);
  return {size, size <= limits.atol + limits.rtol * std::abs(expected)};
}

Difference CompareElement(const ElementType& type, Bytes found, Bytes expected,
                          uint64_t i, const Comparison& limits) {
  uint64_t distance = 0;
  switch (type.kind) {
    case ElementClass::kFloat:
      return CompareFloats(AsFloat(type, found, i), AsFloat(type, expected, i), limits);
    case ElementClass::kComplex:
      return CompareComplex(AsComplex(type, found, i), AsComplex(type, expected, i),
                            limits);
    case ElementClass::kSigned:
      distance = Distance(AsSigned(type, found, i), AsSigned(type, expected, i));
      break;
    case ElementClass::kBool:
    case ElementClass::kUnsigned:
      distance = Distance(AsUnsigned(type, found, i), AsUnsigned(type, expected, i));
      break;
  }
  return {static_cast<double>(distance), distance == 0};
}

double LargestMagnitude(const ElementType& type, Bytes data, uint64_t elements) {
  double largest = 0;
  for (uint64_t i = 0; i < elements; ++i) {
    const double magnitude = type.kind == ElementClass::kFloat
                                 ? std::abs(AsFloat(type, data, i))
                                 : std::abs(AsComplex(type, data, i));
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return largest;
}

std::vector<uint64_t> Unravel(uint64_t flat, absl::Span<const uint64_t> shape) {
  std::vector<uint64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index;
}

absl::StatusOr<uint64_t> CountElements(const ElementType& type,
                                       absl::Span<const uint64_t> shape, Bytes found,
                                       Bytes expected) {
  // The bytes are there, so a shape that disagrees with them is noticed before
  // its product can overflow.
  uint64_t elements = std::find(shape.begin(), shape.end(), 0) == shape.end() ? 1 : 0;
  const uint64_t available = expected.size() / type.npy.size;
  for (uint64_t dimension : shape) {
    if (elements == 0) break;
    if (dimension > available / elements) {
      elements = available + 1;
      break;
    }
    elements *= dimension;
  }
  if (found.size() != expected.size() || elements > available ||
      elements * type.npy.size != expected.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "comparison: expected the bytes of ", std::string(type.name),
        DescribeShape(shape), ", found ", found.size(), " and ", expected.size()));
  }
  return elements;
}

}  // namespace

absl::StatusOr<Comparison> Compare(const ElementType& type,
                                   absl::Span<const uint64_t> shape, Bytes found,
                                   Bytes expected, const Tolerance& tolerance) {
  if (!(tolerance.rtol >= 0) || !(tolerance.atol.value_or(0) >= 0)) {
    return absl::InvalidArgumentError("tolerance: expected a number of at least 0");
  }
  absl::StatusOr<uint64_t> elements = CountElements(type, shape, found, expected);
  if (!elements.ok()) return elements.status();
  Comparison result;
  result.elements = *elements;
  if (type.kind == ElementClass::kFloat || type.kind == ElementClass::kComplex) {
    result.rtol = tolerance.rtol;
    result.atol = tolerance.atol ? *tolerance.atol
                                 : tolerance.rtol *
                                       LargestMagnitude(type, expected, result.elements);
  }
  uint64_t worst = 0;
  for (uint64_t i = 0; i < result.elements; ++i) {
    const Difference difference = CompareElement(type, found, expected, i, result);
    if (!difference.within) ++result.mismatches;
    if (difference.size > result.largest_difference) {
      result.largest_difference = difference.size;
      worst = i;
    }
  }
  result.holds = result.mismatches == 0;
  if (result.elements > 0) {
    result.index = Unravel(worst, shape);
    result.found = ElementToString(type, found, worst);
    result.expected = ElementToString(type, expected, worst);
  }
  return result;
}

std::string DescribeComparison(const Comparison& comparison) {
  if (comparison.elements == 0) return "no elements";
  std::string text =
      absl::StrFormat("largest difference %.3g", comparison.largest_difference);
  if (comparison.largest_difference > 0) {
    absl::StrAppend(&text, " at ", DescribeShape(comparison.index), " (found ",
                    comparison.found, ", expected ", comparison.expected, ")");
  }
  if (!comparison.holds) {
    absl::StrAppendFormat(
        &text, "; %d of %d elements out of tolerance (rtol %g, atol %g)",
        comparison.mismatches, comparison.elements, comparison.rtol, comparison.atol);
  }
  return text;
}

}  // namespace thunky::tooling
