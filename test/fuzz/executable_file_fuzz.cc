// Any bytes as an executable file: read, and what reads is read again from its
// proto.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "thunky/container/executable_file.h"

namespace {

// Small enough that a fuzzer's memory limit is never the first to speak.
constexpr thunky::ReadLimits kLimits = {.max_decoded_bytes = uint64_t{4} << 20};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto file = thunky::ReadExecutableFile(bytes, kLimits);
  if (!file.ok()) return 0;
  const std::string bare = file->executable.SerializeAsString();
  if (!bare.empty()) (void)thunky::ReadExecutableFile(bare, kLimits);
  return 0;
}
