// Any bytes as a program: what reads is verified and loaded, with checked rules on
// every thunk. Seeds are bare protos (bare_seeds.cc): damage inside a container
// never gets past its hashes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "thunky/container/executable_file.h"
#include "thunky/runtime/executable.h"

namespace {

constexpr thunky::ReadLimits kLimits = {.max_decoded_bytes = uint64_t{4} << 20};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto file = thunky::ReadExecutableFile(bytes, kLimits);
  if (!file.ok()) return 0;
  (void)thunky::runtime::Executable::Load(file->executable, {});
  return 0;
}
