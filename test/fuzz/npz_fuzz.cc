// Any bytes as an archive of arrays, and as a single array.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "thunky/tooling/npz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto archive = thunky::tooling::NpzReader::Open({data, data + size});
  if (!archive.ok()) return 0;
  for (const std::string& name : archive->names()) {
    if (archive->Header(name).ok()) (void)archive->Read(name);
  }
  return 0;
}
