// Machine code from anywhere.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "thunky/cubin/cubin_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto info = thunky::cubin::ReadCubin({reinterpret_cast<const char*>(data), size});
  if (!info.ok()) return 0;
  for (const thunky::cubin::CubinEntry& entry : info->entries) {
    if (info->Find(entry.name) != &entry) __builtin_trap();
  }
  return 0;
}
