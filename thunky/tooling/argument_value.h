// What an argument holds when a run begins.
#ifndef THUNKY_TOOLING_ARGUMENT_VALUE_H_
#define THUNKY_TOOLING_ARGUMENT_VALUE_H_

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/hal/device.h"
#include "thunky/tooling/element_type.h"

namespace thunky::tooling {

// How arguments that nobody gave are made up.
struct Fill {
  enum class Kind : uint8_t { kNone, kZeros, kRandom };
  Kind kind = Kind::kNone;
  uint64_t seed = 0;
};

// "zeros", "random", "random:SEED".
absl::StatusOr<Fill> ParseFill(std::string_view text);

// Bytes for a buffer, given or made up. What is made up takes no memory, and is
// the same each time.
class ArgumentValue {
 public:
  // These bytes, then zeros.
  static ArgumentValue Bytes(std::vector<uint8_t> bytes);
  static ArgumentValue Zeros();
  // All bits set: NaN in every float, and unlikely to be mistaken for a result.
  static ArgumentValue Ones();
  // Floats between -1 and 1, integers from 0 to 99, bools; `stream` tells
  // arguments of one seed apart.
  static ArgumentValue Random(const ElementType& type, uint64_t seed, uint64_t stream);

  // Fills all of `span`.
  absl::Status Upload(hal::Device& device, hal::DeviceSpan span) const;

 private:
  enum class Kind : uint8_t { kBytes, kPattern, kRandom };

  Kind kind_ = Kind::kPattern;
  uint8_t pattern_ = 0;
  std::vector<uint8_t> bytes_;
  const ElementType* type_ = nullptr;
  uint64_t seed_ = 0;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_ARGUMENT_VALUE_H_
