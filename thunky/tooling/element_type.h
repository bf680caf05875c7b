// Element types of arrays: XLA's, NumPy's and the values behind the bytes.
#ifndef THUNKY_TOOLING_ELEMENT_TYPE_H_
#define THUNKY_TOOLING_ELEMENT_TYPE_H_

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "proto/shape.pb.h"
#include "thunky/tooling/npy.h"

namespace thunky::tooling {

// How elements are compared and printed.
enum class ElementClass : uint8_t { kBool, kSigned, kUnsigned, kFloat, kComplex };

// A type whose elements are whole bytes.
struct ElementType {
  wire::PrimitiveType primitive;
  std::string_view name;  // as schema::ElementTypeName: "f32", "s64", "pred"
  ElementClass kind;
  NpyType npy;  // how NumPy stores it; kind 'V' for types NumPy lacks
};

// Null for tuples, tokens and types of less than a byte.
const ElementType* FindElementType(wire::PrimitiveType primitive);
// By `name` above; `i8` to `i64` and `bool` are understood too.
const ElementType* FindElementType(std::string_view name);
// The type that NumPy stores so; null for bytes of unknown meaning.
const ElementType* FindStoredElementType(const NpyType& stored);
// Every name, comma separated, for messages.
std::string ElementTypeNames();

// "f64[2,3]": what a file stores, in the words of this project where it has one
// ("V2" for bytes of unknown meaning).
std::string DescribeStored(const NpyType& stored, absl::Span<const uint64_t> shape);
// "f32[2,3]"
std::string DescribeType(const ElementType& type, absl::Span<const uint64_t> shape);

// Whether an array of `stored` may be taken as one of `type`.
bool CanHold(const ElementType& type, const NpyType& stored);

// Element number `index` of `data`, which holds it (little endian). Each is for
// the classes of its name; AsFloat is exact for every float type.
int64_t AsSigned(const ElementType& type, absl::Span<const uint8_t> data, uint64_t index);
uint64_t AsUnsigned(const ElementType& type, absl::Span<const uint8_t> data,
                    uint64_t index);
double AsFloat(const ElementType& type, absl::Span<const uint8_t> data, uint64_t index);
std::complex<double> AsComplex(const ElementType& type, absl::Span<const uint8_t> data,
                               uint64_t index);

// Element number `index` in decimal, with the digits its type has.
std::string ElementToString(const ElementType& type, absl::Span<const uint8_t> data,
                            uint64_t index);

// The bytes of the scalar that `text` writes: a decimal integer (0x for
// hexadecimal), a decimal float, "inf", "nan", "true", "false". InvalidArgument
// when it is no such number, or one that the integer type cannot hold; floats
// are rounded to nearest. Unimplemented for types without a plain spelling
// (complex numbers and floats of 8 and 16 bits).
absl::StatusOr<std::vector<uint8_t>> ParseScalar(const ElementType& type,
                                                 std::string_view text);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_ELEMENT_TYPE_H_
