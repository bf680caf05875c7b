// What a caller of a program binds: its arguments.
#ifndef THUNKY_RUNTIME_ARGUMENTS_H_
#define THUNKY_RUNTIME_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "thunky/hal/memory.h"
#include "thunky/schema/signature.h"

namespace thunky::runtime {

// Arguments start at multiples of this many bytes.
inline constexpr uint64_t kArgumentAlignment = 16;

// One argument. They come in the order that the file gives; if it gives none, the
// parameters come first, then the results that alias none.
struct Argument {
  // Position in Signature::parameters, or nullopt for a result.
  std::optional<int> parameter;
  // Positions in Signature::results whose value this buffer holds after a run.
  std::vector<int> results;
  // The buffer allocation it is bound to; nullopt for a result whose bytes are a
  // constant's: those are copied out when the run ends.
  std::optional<int64_t> allocation;
  std::optional<int> constant;  // position in Signature::constants, in that case
  uint64_t size = 0;            // bytes
  schema::TensorType type;
  std::string name;      // may be empty
  bool written = false;  // whether a run may change it

  // "argument 2 'x' (f32[4,4])", "result {1} (s32[])".
  std::string Describe(const schema::Signature& signature, int position) const;
};

std::vector<Argument> ArgumentsOf(const schema::Signature& signature);

// InvalidArgument when `bound` does not fit: count, sizes, alignment.
absl::Status CheckArguments(const schema::Signature& signature,
                            absl::Span<const Argument> arguments,
                            absl::Span<const hal::DeviceSpan> bound);

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_ARGUMENTS_H_
