// What lies behind the hashes of a container, which random damage never gets past: the
// first byte chooses a part, the rest are its bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proto/executable.pb.h"
#include "proto/options.pb.h"
#include "thunky/container/executable_file.h"
#include "thunky/container/proto_scan.h"
#include "thunky/container/riegeli_format.h"
#include "thunky/container/riegeli_reader.h"
#include "thunky/container/riegeli_writer.h"
#include "thunky/container/split_proto.h"
#include "thunky/container/text_proto.h"

namespace {

using thunky::ProtoScanner;
using thunky::ReadBudget;

constexpr thunky::ReadLimits kLimits = {.max_decoded_bytes = uint64_t{4} << 20};

void ReadChunk(thunky::riegeli::ChunkType type, std::string_view data) {
  if (data.size() < 2) return;
  thunky::riegeli::ChunkWriter writer;
  writer.Add(type, static_cast<uint8_t>(data[0]), static_cast<uint8_t>(data[1]),
             data.substr(2));
  ReadBudget budget(kLimits);
  (void)thunky::riegeli::ReadRecords(std::move(writer).Finish(), budget);
}

// What the scan accepts, protobuf must be able to parse.
void ScanAndParse(std::string_view bytes) {
  ReadBudget budget(kLimits);
  if (!budget.ChargeDecodedBytes(bytes.size(), "input").ok()) return;
  ProtoScanner scanner(budget);
  thunky::wire::GpuExecutableProto executable;
  if (scanner.Merge(bytes, executable).ok()) return;
  if (executable.ByteSizeLong() != 0) __builtin_trap();
}

void ParseText(std::string_view text) {
  ReadBudget budget(kLimits);
  if (!budget.ChargeDecodedBytes(text.size(), "input").ok()) return;
  thunky::MessageShapes shapes;
  thunky::wire::GpuExecutableProto executable;
  if (!thunky::ParseTextProto(text, shapes, budget, executable).ok()) return;
  (void)executable.SerializeAsString();
}

// Records of one size byte and as many bytes each, the first of them the manifest.
void MergeRecords(std::string_view bytes) {
  std::vector<std::string_view> records;
  while (!bytes.empty()) {
    const size_t size = static_cast<uint8_t>(bytes[0]);
    records.push_back(bytes.substr(1, size));
    bytes.remove_prefix(std::min(bytes.size(), 1 + size));
  }
  ReadBudget budget(kLimits);
  ProtoScanner scanner(budget);
  const auto manifest = thunky::ReadSplitProtoManifest(records, scanner);
  if (!manifest.ok()) return;
  thunky::wire::GpuExecutableProto executable;
  (void)thunky::MergeSplitProto(*manifest, records, manifest->result_proto_type(),
                                scanner, executable);
}

// The file as a whole, with a valid container around an arbitrary message.
void ReadInside(std::string_view bytes) {
  thunky::wire::SplitProtoManifest manifest;
  manifest.set_result_proto_type("xla.gpu.GpuExecutableProto");
  manifest.add_records()->mutable_proto_merge_record();
  const std::string first = manifest.SerializeAsString();
  const std::vector<std::string_view> records = {first, bytes};
  const auto container = thunky::riegeli::WriteRecords(records);
  if (container.ok()) (void)thunky::ReadExecutableFile(*container, kLimits);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'r':
    case 'm':
    case 'p':
    case 't':
      ReadChunk(static_cast<thunky::riegeli::ChunkType>(data[0]), bytes);
      break;
    case 'S':
      ScanAndParse(bytes);
      break;
    case 'T':
      ParseText(bytes);
      break;
    case 'M':
      MergeRecords(bytes);
      break;
    default:
      ReadInside(bytes);
      break;
  }
  return 0;
}
