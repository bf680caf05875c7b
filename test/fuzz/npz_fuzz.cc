// Any bytes as an archive of arrays, and as a single array. What can be read can be
// written, and is then read back the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "thunky/tooling/npz.h"

namespace {

using thunky::tooling::Array;

void CheckRoundTrip(const Array& array) {
  const auto bytes = thunky::tooling::SerializeNpy(array.type, array.shape, array.data);
  if (!bytes.ok()) __builtin_trap();
  const auto again = thunky::tooling::ParseNpy(*bytes);
  if (!again.ok() || again->type != array.type || again->shape != array.shape ||
      again->data != array.data) {
    __builtin_trap();
  }
}

void ReadArchive(const std::vector<uint8_t>& bytes) {
  const auto archive = thunky::tooling::NpzReader::Open(bytes);
  if (!archive.ok()) return;
  for (const std::string& name : archive->names()) {
    const auto header = archive->Header(name);
    const auto array = archive->Read(name);
    if (!array.ok()) continue;
    if (!header.ok() || header->data_size != array->data.size()) __builtin_trap();
    CheckRoundTrip(*array);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint8_t> bytes(data, data + size);
  ReadArchive(bytes);
  const auto array = thunky::tooling::ParseNpy(bytes);
  if (array.ok()) CheckRoundTrip(*array);
  return 0;
}
