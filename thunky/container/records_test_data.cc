#include "thunky/container/records_test_data.h"

#include <brotli/encode.h>
#include <snappy.h>
#include <zstd.h>

#include <cstdint>
#include <utility>

#include "gtest/gtest.h"
#include "thunky/container/riegeli_writer.h"
#include "thunky/container/varint.h"

namespace thunky::riegeli {
namespace {

std::string Zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size =
      ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3);
  EXPECT_FALSE(ZSTD_isError(size));
  out.resize(size);
  return out;
}

std::string Brotli(std::string_view bytes) {
  constexpr int kQuality = 5;
  size_t size = BrotliEncoderMaxCompressedSize(bytes.size()) + 16;
  std::string out(size, '\0');
  EXPECT_TRUE(BrotliEncoderCompress(kQuality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC,
                                    bytes.size(),
                                    reinterpret_cast<const uint8_t*>(bytes.data()), &size,
                                    reinterpret_cast<uint8_t*>(out.data())));
  out.resize(size);
  return out;
}

std::string Part(Compression compression, std::string_view bytes) {
  std::string part;
  if (compression != Compression::kNone) AppendVarint(bytes.size(), part);
  return part + CompressForTest(compression, bytes);
}

}  // namespace

std::string CompressForTest(Compression compression, std::string_view bytes) {
  switch (compression) {
    case Compression::kNone:
      return std::string(bytes);
    case Compression::kBrotli:
      return Brotli(bytes);
    case Compression::kZstd:
      return Zstd(bytes);
    case Compression::kSnappy: {
      std::string out;
      snappy::Compress(bytes.data(), bytes.size(), &out);
      return out;
    }
  }
  return "";
}

std::string SimpleChunkData(Compression compression,
                            const std::vector<std::string>& records) {
  std::string sizes;
  std::string values;
  for (const std::string& record : records) {
    AppendVarint(record.size(), sizes);
    values += record;
  }
  const std::string sizes_part = Part(compression, sizes);
  std::string data(1, static_cast<char>(compression));
  AppendVarint(sizes_part.size(), data);
  return data + sizes_part + Part(compression, values);
}

std::string RecordsFileForTest(Compression compression,
                               const std::vector<std::string>& records) {
  uint64_t decoded = 0;
  for (const std::string& record : records) decoded += record.size();
  ChunkWriter writer;
  writer.Add(ChunkType::kSimple, records.size(), decoded,
             SimpleChunkData(compression, records));
  return std::move(writer).Finish();
}

}  // namespace thunky::riegeli
