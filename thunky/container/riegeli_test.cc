// Reader and writer of records files, each checked with the other and with files that
// Riegeli itself wrote.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/container/fixture_files.h"
#include "thunky/container/records_test_data.h"
#include "thunky/container/riegeli_format.h"
#include "thunky/container/riegeli_reader.h"
#include "thunky/container/riegeli_writer.h"
#include "thunky/container/varint.h"

namespace thunky::riegeli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Compression kCompressions[] = {Compression::kNone, Compression::kBrotli,
                                         Compression::kZstd, Compression::kSnappy};

absl::StatusOr<std::vector<std::string>> Read(std::string_view file,
                                              ReadLimits limits = {}) {
  ReadBudget budget(limits);
  absl::StatusOr<RecordsFile> records = ReadRecords(file, budget);
  if (!records.ok()) return records.status();
  return std::vector<std::string>(records->records.begin(), records->records.end());
}

std::string Error(std::string_view file, ReadLimits limits = {}) {
  return Read(file, limits).status().ToString();
}

std::string Write(const std::vector<std::string>& records, WriteOptions options = {}) {
  const std::vector<std::string_view> views(records.begin(), records.end());
  absl::StatusOr<std::string> file = WriteRecords(views, options);
  EXPECT_TRUE(file.ok()) << file.status();
  return file.value_or("");
}

// Bytes that do not compress, and differ by seed.
std::string Noise(size_t size, uint32_t seed) {
  std::string bytes;
  for (uint32_t state = seed; bytes.size() < size;) {
    state = state * 1664525 + 1013904223;
    bytes.push_back(static_cast<char>(state >> 24));
  }
  return bytes;
}

// What follows the metadata.
std::string Container(const std::string& fixture) {
  const std::string file = FixtureExecutable(fixture);
  size_t at = 0;
  const uint64_t size = ReadVarint(file, at).value_or(0);
  return file.substr(at + size);
}

TEST(Riegeli, BeginsWithTheFixedSignature) {
  EXPECT_EQ(absl::BytesToHexString(Write({})),
            "83af70d10d884a3f0000000000000000400000000000000091bac23c9287e1a9"
            "0000000000000000e19f13c0e9b1c37273000000000000000000000000000000");
}

TEST(Riegeli, EndsChunksWhereTheFormatDoes) {
  EXPECT_EQ(ChunkEnd(0, 0, 0), 64u);
  EXPECT_EQ(ChunkEnd(64, 10, 3), 114u);
  // Up to the end of a block, and one byte more.
  EXPECT_EQ(ChunkEnd(64, kBlockSize - 64 - 40, 0), kBlockSize);
  EXPECT_EQ(ChunkEnd(64, kBlockSize - 64 - 39, 0), kBlockSize + 25);
  EXPECT_EQ(ChunkEnd(kBlockSize, 0, 0), kBlockSize + 64);
  // As many bytes as records, and not inside a block header.
  EXPECT_EQ(ChunkEnd(64, 0, 1000), 1064u);
  EXPECT_EQ(ChunkEnd(64, 0, kBlockSize - 64), kBlockSize);
  EXPECT_EQ(ChunkEnd(64, 0, kBlockSize - 64 + 1), kBlockSize + 25);
  EXPECT_EQ(ChunkEnd(64, 0, kBlockSize - 64 + 26), kBlockSize + 26);
}

TEST(Riegeli, ReadsWhatItWrites) {
  const std::vector<std::vector<std::string>> cases = {
      {},
      {""},
      {"", "", ""},
      {"one", "", std::string("\0\xff", 2)},
      std::vector<std::string>(200'000, ""),
      {Noise(100'000, 1), Noise(3, 2), Noise(2'000'000, 3), "end"}};
  for (const auto& records : cases) {
    for (const Compression compression : {Compression::kNone, Compression::kSnappy}) {
      const auto read = Read(Write(records, {.compression = compression}));
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(*read, records);
    }
  }
}

// Every distance between the end of a chunk and the next block header.
TEST(Riegeli, PutsBlockHeadersAnywhere) {
  for (size_t size = kBlockSize - 220; size < kBlockSize + 40; ++size) {
    const std::vector<std::string> records = {Noise(size, 7), "second", "third"};
    const std::string file =
        Write(records, {.compression = Compression::kNone, .chunk_size = 1});
    const auto read = Read(file);
    ASSERT_TRUE(read.ok()) << size << ": " << read.status();
    ASSERT_EQ(*read, records) << size;
  }
}

TEST(Riegeli, PadsChunksWithMoreRecordsThanBytes) {
  for (size_t count = kBlockSize - 100; count < kBlockSize + 60; ++count) {
    const std::vector<std::string> records(count, "");
    ChunkWriter writer;
    writer.Add(ChunkType::kSimple, count, 0,
               SimpleChunkData(Compression::kZstd, records));
    writer.Add(ChunkType::kSimple, 1, 4, SimpleChunkData(Compression::kNone, {"next"}));
    const auto read = Read(std::move(writer).Finish());
    ASSERT_TRUE(read.ok()) << count << ": " << read.status();
    ASSERT_EQ(read->size(), count + 1);
    EXPECT_EQ(read->back(), "next");
  }
}

TEST(Riegeli, CutsChunksBySize) {
  const auto file = Write({"aaaa", "bb", "cccc", "dddddddddd", "e"},
                          {.compression = Compression::kNone, .chunk_size = 6});
  // aaaa+bb, cccc, dddddddddd, e: the signature and four chunks of 40 + 1 + 1 bytes,
  // the sizes and the values.
  EXPECT_EQ(file.size(), 64u + 4 * 42 + 5 + 21);
}

TEST(Riegeli, ReadsAllCompressions) {
  const std::vector<std::string> records = {"", Noise(70'000, 5),
                                            std::string(300'000, 'x'), "last"};
  for (const Compression compression : kCompressions) {
    const auto read = Read(RecordsFileForTest(compression, records));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, records);
  }
}

TEST(Riegeli, WritesOnlyNoneAndSnappy) {
  const std::vector<std::string_view> records = {"x"};
  EXPECT_THAT(
      WriteRecords(records, {.compression = Compression::kZstd}).status().message(),
      HasSubstr("zstd"));
  EXPECT_THAT(
      WriteRecords(records, {.compression = Compression::kBrotli}).status().message(),
      HasSubstr("brotli"));
}

TEST(Riegeli, WritesFixturesAgain) {
  const std::vector<std::string> names = FixtureNames();
  ASSERT_GE(names.size(), 73u);
  for (const std::string& name : names) {
    const auto outer = Read(Container(name));
    ASSERT_TRUE(outer.ok()) << name << ": " << outer.status();
    ASSERT_EQ(outer->size(), 3u);
    const auto inner = Read(outer->at(1));
    ASSERT_TRUE(inner.ok()) << name << ": " << inner.status();
    for (const auto& records : {*outer, *inner}) {
      for (const Compression compression : {Compression::kNone, Compression::kSnappy}) {
        const auto again = Read(Write(records, {.compression = compression}));
        ASSERT_TRUE(again.ok()) << name << ": " << again.status();
        EXPECT_EQ(*again, records) << name;
      }
    }
  }
}

TEST(Riegeli, SkipsMetadataPaddingAndMoreSignatures) {
  ChunkWriter writer;
  writer.Add(ChunkType::kMetadata, 0, 17, "any content");
  writer.Add(ChunkType::kPadding, 0, 0, std::string(150'000, 'p'));
  writer.Add(ChunkType::kSimple, 1, 1, SimpleChunkData(Compression::kSnappy, {"r"}));
  writer.Add(ChunkType::kSignature, 0, 0, "");
  writer.Add(ChunkType::kSimple, 1, 1, SimpleChunkData(Compression::kNone, {"s"}));
  const auto read = Read(std::move(writer).Finish());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, (std::vector<std::string>{"r", "s"}));
}

std::string OneChunk(ChunkType type, uint64_t num_records, uint64_t decoded,
                     std::string_view data) {
  ChunkWriter writer;
  writer.Add(type, num_records, decoded, data);
  return std::move(writer).Finish();
}

TEST(Riegeli, NamesTransposedAndUnknownChunks) {
  const absl::Status transposed =
      Read(OneChunk(ChunkType::kTransposed, 1, 1, "x")).status();
  EXPECT_EQ(transposed.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(transposed.message()), HasSubstr("transposed"));
  EXPECT_THAT(Error(OneChunk(static_cast<ChunkType>('Q'), 0, 0, "")),
              HasSubstr("chunk 1 at byte 64: unknown chunk type 'Q'"));
}

TEST(Riegeli, RefusesDamagedHashes) {
  const std::string file =
      Write({Noise(200'000, 9)}, {.compression = Compression::kNone});
  const auto flipped = [&](size_t at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    return Error(damaged);
  };
  EXPECT_THAT(flipped(0), HasSubstr("chunk 0 at byte 0: the hash of block header 0"));
  EXPECT_THAT(flipped(20), HasSubstr("hash of block header 0"));
  EXPECT_THAT(flipped(24), HasSubstr("chunk 0 at byte 0: the hash of the chunk header"));
  EXPECT_THAT(flipped(64), HasSubstr("chunk 1 at byte 64: the hash of the chunk header"));
  EXPECT_THAT(flipped(72), HasSubstr("chunk 1 at byte 64: the hash of the chunk header"));
  EXPECT_THAT(flipped(88), HasSubstr("hash of the chunk header"));
  EXPECT_THAT(flipped(104), HasSubstr("chunk 1 at byte 64: the hash of the data"));
  EXPECT_THAT(flipped(file.size() - 1), HasSubstr("the hash of the data"));
  EXPECT_THAT(flipped(2 * kBlockSize + 9),
              HasSubstr("chunk 1 at byte 64: the hash of block header 2 at byte 131072"));
}

TEST(Riegeli, RefusesBlockHeadersThatPointElsewhere) {
  std::string file = Write({Noise(100'000, 9)}, {.compression = Compression::kNone});
  BlockHeader header{.previous_chunk = kBlockSize - 63,
                     .next_chunk = file.size() - kBlockSize};
  header.hash = HashOf(header);
  file.replace(kBlockSize, kBlockHeaderSize, Encode(header));
  EXPECT_THAT(Error(file), AllOf(HasSubstr("block header 1 at byte 65536"),
                                 HasSubstr("of 65472 and"), HasSubstr("found 65473")));
}

TEST(Riegeli, RefusesFilesThatEndTooEarly) {
  const std::string file = Write({Noise(100'000, 4)});
  for (const size_t size : {size_t{1}, size_t{63}, size_t{65}, size_t{103}}) {
    EXPECT_THAT(Error(file.substr(0, size)), HasSubstr("ends inside the chunk header"));
  }
  for (const size_t size : {size_t{104}, kBlockSize + 3, file.size() - 1}) {
    EXPECT_THAT(Error(file.substr(0, size)), HasSubstr("ends inside the chunk:"));
  }
  EXPECT_THAT(Error(""), HasSubstr("not empty"));
  EXPECT_THAT(Error(file + "x"), HasSubstr("ends inside the chunk header"));
}

TEST(Riegeli, BelievesNoDeclaredSize) {
  constexpr uint64_t kHuge = uint64_t{1} << 60;
  // In the chunk header.
  for (const ChunkHeader& declared :
       {ChunkHeader{.data_size = kHuge}, ChunkHeader{.data_size = UINT64_MAX},
        ChunkHeader{.num_records = (uint64_t{1} << 56) - 1}}) {
    ChunkHeader header = declared;
    header.data_hash = Hash("");
    header.hash = HashOf(header);
    EXPECT_THAT(Error(Write({}) + Encode(header)), HasSubstr("INVALID_ARGUMENT"));
  }
  EXPECT_THAT(Error(OneChunk(ChunkType::kSimple, 1, kHuge,
                             SimpleChunkData(Compression::kNone, {"x"}))),
              HasSubstr("expected 1152921504606846976 decoded bytes"));
  // In the data: the sizes' size, the decoded sizes.
  std::string huge;
  AppendVarint(kHuge, huge);
  EXPECT_THAT(Error(OneChunk(ChunkType::kSimple, 1, 1, std::string(1, '\0') + huge)),
              HasSubstr("expected the size of the record sizes, at most 0"));
  for (const char compression : {'b', 'z', 's'}) {
    std::string data(1, compression);
    AppendVarint(huge.size(), data);
    EXPECT_THAT(Error(OneChunk(ChunkType::kSimple, 1, 1, data + huge)),
                HasSubstr("RESOURCE_EXHAUSTED"));
  }
  // In the sizes.
  std::string data(1, '\0');
  AppendVarint(huge.size(), data);
  EXPECT_THAT(Error(OneChunk(ChunkType::kSimple, 1, 1, data + huge + "x")),
              HasSubstr("expected the size of record 0, at most 1, found 11529215"));
}

TEST(Riegeli, RefusesSizesThatDoNotAddUp) {
  const std::string two = SimpleChunkData(Compression::kNone, {"ab", "c"});
  EXPECT_THAT(Error(OneChunk(ChunkType::kSimple, 1, 3, two)), HasSubstr("are left"));
  EXPECT_THAT(Error(OneChunk(ChunkType::kSimple, 3, 3, two)),
              HasSubstr("expected the sizes of 3 records, found 2 bytes"));
  EXPECT_THAT(Error(OneChunk(ChunkType::kSimple, 2, 2, two)),
              HasSubstr("expected 2 decoded bytes as the chunk header says, found 3"));
  EXPECT_THAT(Error(OneChunk(ChunkType::kSimple, 0, 0, "")),
              HasSubstr("no compression byte"));
  EXPECT_THAT(Error(OneChunk(ChunkType::kSimple, 0, 0, std::string("q\1\0", 3))),
              HasSubstr("unknown compression 113"));
  EXPECT_THAT(Error(OneChunk(ChunkType::kPadding, 1, 0, "")), HasSubstr("no records"));
}

TEST(Riegeli, DecodesNoMoreThanDeclared) {
  constexpr size_t kBomb = size_t{64} << 20;
  const std::string zeros(kBomb, '\0');
  for (const Compression compression :
       {Compression::kBrotli, Compression::kZstd, Compression::kSnappy}) {
    const std::string bomb = RecordsFileForTest(compression, {zeros});
    EXPECT_TRUE(Read(bomb).ok());
    EXPECT_THAT(Error(bomb, {.max_decoded_bytes = kBomb - 1}),
                HasSubstr("RESOURCE_EXHAUSTED"));
    // Says 1000 and decodes to more, and to less.
    for (const size_t size : {size_t{1001}, size_t{999}, kBomb}) {
      std::string data(1, static_cast<char>(compression));
      std::string sizes;
      AppendVarint(1000, sizes);
      std::string sizes_part;
      AppendVarint(sizes.size(), sizes_part);
      sizes_part += CompressForTest(compression, sizes);
      AppendVarint(sizes_part.size(), data);
      data += sizes_part;
      AppendVarint(1000, data);
      data += CompressForTest(compression, zeros.substr(0, size));
      EXPECT_THAT(Error(OneChunk(ChunkType::kSimple, 1, 1000, data)),
                  AllOf(HasSubstr("INVALID_ARGUMENT"), HasSubstr("the record values")))
          << static_cast<char>(compression) << size;
    }
  }
}

TEST(Riegeli, CountsAllChunksAgainstTheLimit) {
  ChunkWriter writer;
  for (int i = 0; i < 5; ++i) {
    writer.Add(ChunkType::kSimple, 1, 1000,
               SimpleChunkData(Compression::kZstd, {std::string(1000, 'z')}));
  }
  const std::string file = std::move(writer).Finish();
  // Each chunk decodes to its record and two bytes of sizes.
  EXPECT_TRUE(Read(file, {.max_decoded_bytes = 5010}).ok());
  EXPECT_THAT(Error(file, {.max_decoded_bytes = 5009}),
              AllOf(HasSubstr("chunk 5"), HasSubstr("limit of 5009")));
}

}  // namespace
}  // namespace thunky::riegeli
