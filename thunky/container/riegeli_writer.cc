#include "thunky/container/riegeli_writer.h"

#include <snappy.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/container/decompress.h"
#include "thunky/container/varint.h"

namespace thunky::riegeli {
namespace {

absl::StatusOr<std::string> Compress(Compression compression, const std::string& part) {
  switch (compression) {
    case Compression::kNone:
      return part;
    case Compression::kSnappy: {
      if (part.size() > UINT32_MAX) {
        return absl::InvalidArgumentError(
            absl::StrCat("writing with snappy compression: a record has ", part.size(),
                         " bytes, and snappy takes at most ", UINT32_MAX));
      }
      std::string compressed;
      snappy::Compress(part.data(), part.size(), &compressed);
      std::string out;
      AppendVarint(part.size(), out);
      return out + compressed;
    }
    case Compression::kBrotli:
    case Compression::kZstd:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("writing with ", std::string(CompressionName(compression)),
                   " compression: only none and snappy are written"));
}

absl::Status AddSimpleChunk(absl::Span<const std::string_view> records,
                            Compression compression, ChunkWriter& writer) {
  std::string sizes;
  std::string values;
  for (const std::string_view record : records) {
    AppendVarint(record.size(), sizes);
    values.append(record);
  }
  ASSIGN_OR_RETURN(const std::string sizes_part, Compress(compression, sizes));
  ASSIGN_OR_RETURN(const std::string values_part, Compress(compression, values));
  std::string data(1, static_cast<char>(compression));
  AppendVarint(sizes_part.size(), data);
  data += sizes_part;
  data += values_part;
  writer.Add(ChunkType::kSimple, records.size(), values.size(), data);
  return absl::OkStatus();
}

}  // namespace

ChunkWriter::ChunkWriter() { Add(ChunkType::kSignature, 0, 0, ""); }

void ChunkWriter::Add(ChunkType type, uint64_t num_records, uint64_t decoded_size,
                      std::string_view data) {
  ChunkHeader header{.data_size = data.size(),
                     .data_hash = Hash(data),
                     .type = type,
                     .num_records = num_records,
                     .decoded_size = decoded_size};
  header.hash = HashOf(header);
  const uint64_t begin = file_.size();
  const uint64_t end = ChunkEnd(begin, data.size(), num_records);
  Append(Encode(header), begin, end);
  Append(data, begin, end);
  while (file_.size() < end) {
    const uint64_t in_block = file_.size() % kBlockSize;
    const uint64_t header = in_block == 0 ? kBlockHeaderSize : 0;
    const uint64_t room = std::min(end - file_.size(), kBlockSize - in_block);
    Append(std::string(room - header, '\0'), begin, end);
  }
}

void ChunkWriter::Append(std::string_view bytes, uint64_t chunk_begin,
                         uint64_t chunk_end) {
  while (!bytes.empty()) {
    const uint64_t position = file_.size();
    if (position % kBlockSize == 0) {
      BlockHeader header{.previous_chunk = position - chunk_begin,
                         .next_chunk = chunk_end - position};
      header.hash = HashOf(header);
      file_ += Encode(header);
      continue;
    }
    const uint64_t room = kBlockSize - position % kBlockSize;
    file_.append(bytes.substr(0, room));
    bytes.remove_prefix(std::min<uint64_t>(room, bytes.size()));
  }
}

absl::StatusOr<std::string> WriteRecords(absl::Span<const std::string_view> records,
                                         const WriteOptions& options) {
  ChunkWriter writer;
  for (size_t begin = 0; begin < records.size();) {
    uint64_t size = records[begin].size();
    size_t end = begin + 1;
    while (end < records.size() && size <= options.chunk_size &&
           records[end].size() <= options.chunk_size - size) {
      size += records[end++].size();
    }
    RETURN_IF_ERROR(
        AddSimpleChunk(records.subspan(begin, end - begin), options.compression, writer));
    begin = end;
  }
  return std::move(writer).Finish();
}

}  // namespace thunky::riegeli
