// Kernel arguments as the shell writes them.
#ifndef THUNKY_TOOLING_LAUNCH_ARGUMENT_H_
#define THUNKY_TOOLING_LAUNCH_ARGUMENT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/hal/kernel.h"
#include "thunky/tooling/element_type.h"

namespace thunky::tooling {

struct LaunchArgument {
  enum class Kind : uint8_t {
    kScalar,  // f32:2.5
    kNull,    // null: a pointer to nothing
    kInput,   // A.npy: a buffer that the kernel may only read
    kOutput,  // out:f32[64,3]: a buffer of zeros
    kInOut,   // inout:A.npy: a buffer whose content comes back
  };
  Kind kind = Kind::kScalar;
  std::string text;  // as written
  // Of buffers. Null where the file does not say what its elements are (kInput).
  const ElementType* element = nullptr;
  std::vector<uint64_t> shape;
  uint64_t size = 0;           // bytes of the buffer
  std::vector<uint8_t> bytes;  // of the scalar, or the buffer's content (C order)

  bool is_buffer() const {
    return kind == Kind::kInput || kind == Kind::kOutput || kind == Kind::kInOut;
  }
  bool is_output() const { return kind == Kind::kOutput || kind == Kind::kInOut; }
};

// Parses one --arg and reads its file. InvalidArgument, beginning with the text,
// for what is none of the above.
absl::StatusOr<LaunchArgument> ParseLaunchArgument(const std::string& text);

// "X", "X,Y" or "X,Y,Z"; the others are 1. `option` is for the message.
absl::StatusOr<hal::Dim3> ParseDim3(std::string_view option, std::string_view text);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_LAUNCH_ARGUMENT_H_
