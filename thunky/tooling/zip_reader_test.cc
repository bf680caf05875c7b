#include "thunky/tooling/zip_reader.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/tooling/zip_format.h"
#include "thunky/tooling/zip_writer.h"

namespace thunky::tooling {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

Bytes Text(std::string_view text) { return Bytes(text.begin(), text.end()); }

template <typename T>
void Put(Bytes& bytes, size_t at, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    bytes[at + i] = static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i));
  }
}

template <typename T>
void Append(Bytes& bytes, T value) {
  bytes.resize(bytes.size() + sizeof(T));
  Put(bytes, bytes.size() - sizeof(T), value);
}

Bytes Archive(const ZipWriterOptions& options = {}) {
  ZipWriter writer(options);
  EXPECT_TRUE(writer.Add("first", Text("The first member.")).ok());
  EXPECT_TRUE(writer.Add("second", Bytes(3000, 'x')).ok());
  EXPECT_TRUE(writer.Add("empty", {}).ok());
  return *std::move(writer).Finish();
}

// Offset of the `number`th place (from 0) where a signature stands.
size_t Find(const Bytes& bytes, uint32_t signature, int number = 0) {
  Bytes wanted(4);
  Put(wanted, 0, signature);
  auto it = bytes.begin();
  for (int i = 0; i <= number; ++i) {
    if (i > 0) ++it;
    it = std::search(it, bytes.end(), wanted.begin(), wanted.end());
  }
  EXPECT_NE(it, bytes.end());
  return static_cast<size_t>(it - bytes.begin());
}

std::string OpenError(const Bytes& bytes) {
  absl::StatusOr<ZipReader> reader = ZipReader::Open(bytes);
  return reader.ok() ? "no error" : std::string(reader.status().message());
}

// One stored member with a data descriptor of the given form.
Bytes WithDescriptor(bool signature, bool wide, uint32_t descriptor_size = 3) {
  ZipWriter writer({});
  EXPECT_TRUE(writer.Add("a", Text("abc")).ok());
  Bytes bytes = *std::move(writer).Finish();
  const size_t directory = Find(bytes, zip::kDirectoryHeader);
  Bytes descriptor;
  if (signature) Append(descriptor, zip::kDataDescriptor);
  Append<uint32_t>(descriptor, 0x352441c2);  // CRC-32 of "abc"
  for (int i = 0; i < 2; ++i) {
    if (wide) {
      Append<uint64_t>(descriptor, descriptor_size);
    } else {
      Append<uint32_t>(descriptor, descriptor_size);
    }
  }
  const size_t end = Find(bytes, zip::kEnd);
  Put<uint32_t>(bytes, end + 16, static_cast<uint32_t>(directory + descriptor.size()));
  Put<uint16_t>(bytes, directory + 8, zip::kFlagDescriptor);
  Put<uint16_t>(bytes, 6, zip::kFlagDescriptor);
  for (size_t at : {14, 18, 22}) Put<uint32_t>(bytes, at, 0);  // unknown when written
  bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(directory), descriptor.begin(),
               descriptor.end());
  return bytes;
}

TEST(ZipReaderTest, ReadsWhatTheWriterWrites) {
  for (bool deflate : {false, true}) {
    for (bool zip64 : {false, true}) {
      const Bytes archive = Archive({deflate, zip64});
      EXPECT_TRUE(IsZip(archive));
      absl::StatusOr<ZipReader> reader = ZipReader::Open(archive);
      ASSERT_TRUE(reader.ok()) << reader.status();
      ASSERT_EQ(reader->entries().size(), 3u);
      EXPECT_EQ(reader->entries()[0].name, "first");
      EXPECT_EQ(reader->entries()[1].deflated, deflate);
      EXPECT_EQ(*reader->Read(reader->entries()[0], 100), Text("The first member."));
      EXPECT_EQ(*reader->Read(reader->entries()[1], 3000), Bytes(3000, 'x'));
      EXPECT_EQ(*reader->Read(reader->entries()[2], 0), Bytes());
      EXPECT_EQ(*reader->ReadPrefix(reader->entries()[1], 10), Bytes(10, 'x'));
      EXPECT_EQ(*reader->ReadPrefix(reader->entries()[2], 10), Bytes());
      EXPECT_EQ(archive, Archive({deflate, zip64}));  // deterministic
    }
  }
}

TEST(ZipReaderTest, ReadsAnEmptyArchive) {
  const Bytes empty = *ZipWriter({}).Finish();
  EXPECT_TRUE(IsZip(empty));
  EXPECT_TRUE(ZipReader::Open(empty)->entries().empty());
}

TEST(ZipReaderTest, RefusesMoreThanTheCallerWants) {
  absl::StatusOr<ZipReader> reader = ZipReader::Open(Archive({true, false}));
  absl::Status status = reader->Read(reader->entries()[1], 2999).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("at most 2999 bytes, found 3000"));
}

TEST(ZipReaderTest, ReadsDataDescriptors) {
  for (bool signature : {false, true}) {
    for (bool wide : {false, true}) {
      absl::StatusOr<ZipReader> reader = ZipReader::Open(WithDescriptor(signature, wide));
      ASSERT_TRUE(reader.ok()) << reader.status();
      EXPECT_EQ(*reader->Read(reader->entries()[0], 3), Text("abc"));
      EXPECT_THAT(OpenError(WithDescriptor(signature, wide, 4)),
                  HasSubstr("a data descriptor that agrees"));
    }
  }
}

TEST(ZipReaderTest, VerifiesChecksums) {
  for (bool deflate : {false, true}) {
    Bytes archive = Archive({deflate, false});
    const size_t directory = Find(archive, zip::kDirectoryHeader);
    archive[14] ^= 1;
    archive[directory + 16] ^= 1;
    absl::StatusOr<ZipReader> reader = ZipReader::Open(archive);
    ASSERT_TRUE(reader.ok()) << reader.status();
    absl::Status status = reader->Read(reader->entries()[0], 100).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), HasSubstr("checksum"));
  }
}

TEST(ZipReaderTest, RefusesCompressedDataThatIsWrong) {
  Bytes archive = Archive({true, false});
  absl::StatusOr<ZipReader> good = ZipReader::Open(archive);
  const ZipEntry entry = good->entries()[1];
  // Block type 3 does not exist.
  Bytes bad_block = archive;
  bad_block[entry.data_offset] = 0x07;
  absl::StatusOr<ZipReader> reader = ZipReader::Open(bad_block);
  EXPECT_THAT(std::string(reader->Read(entry, 3000).status().message()),
              HasSubstr("expected a deflate stream"));
  EXPECT_FALSE(reader->ReadPrefix(entry, 10).ok());
  // The stream holds 3000 bytes; the directory says 2999 or 3001.
  for (uint32_t size : {2999, 3001}) {
    Bytes lying = archive;
    Put<uint32_t>(lying, entry.header_offset + 22, size);
    Put<uint32_t>(lying, Find(lying, zip::kDirectoryHeader, 1) + 24, size);
    reader = ZipReader::Open(lying);
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_THAT(std::string(reader->Read(reader->entries()[1], 4000).status().message()),
                HasSubstr("shorter or longer"));
  }
}

TEST(ZipReaderTest, RefusesSizesThatCannotBe) {
  Bytes archive = Archive({true, true});
  const ZipEntry entry = ZipReader::Open(archive)->entries()[1];
  const uint64_t huge = uint64_t{1} << 62;
  const size_t extra = Find(archive, zip::kDirectoryHeader, 1) + 46 + entry.name.size();
  Put<uint64_t>(archive, extra + 4, huge);
  EXPECT_THAT(OpenError(archive),
              HasSubstr("deflated bytes can hold, found 4611686018427387904"));
  Put<uint64_t>(archive, extra + 12, ~uint64_t{0});
  EXPECT_THAT(OpenError(archive), HasSubstr("member 'second'"));
  Bytes stored = Archive();
  Put<uint32_t>(stored, Find(stored, zip::kDirectoryHeader) + 24, 18);
  EXPECT_THAT(OpenError(stored), HasSubstr("stored bytes can hold, found 18"));
}

TEST(ZipReaderTest, RefusesEncryptionAndOtherCompressions) {
  Bytes archive = Archive();
  const size_t directory = Find(archive, zip::kDirectoryHeader);
  for (uint16_t flag :
       {zip::kFlagEncrypted, zip::kFlagStrongEncryption, zip::kFlagMasked}) {
    Bytes encrypted = archive;
    Put<uint16_t>(encrypted, directory + 8, flag);
    EXPECT_THAT(OpenError(encrypted),
                HasSubstr("member 'first': expected plain data, found encryption"));
  }
  Bytes patch = archive;
  Put<uint16_t>(patch, directory + 8, zip::kFlagPatch);
  EXPECT_THAT(OpenError(patch), HasSubstr("found a patch"));
  Bytes lzma = archive;
  Put<uint16_t>(lzma, directory + 10, uint16_t{14});
  EXPECT_THAT(OpenError(lzma), HasSubstr("found method 14"));
}

TEST(ZipReaderTest, RefusesBytesThatBelongToNothing) {
  Bytes archive = Archive();
  Bytes trailing = archive;
  trailing.push_back(0);
  EXPECT_THAT(OpenError(trailing), HasSubstr("end of the archive"));
  Bytes leading = archive;
  leading.insert(leading.begin(), 'x');
  EXPECT_THAT(OpenError(leading), HasSubstr("a directory that ends at byte"));
  Bytes between = archive;
  const size_t directory = Find(between, zip::kDirectoryHeader);
  between.insert(between.begin() + static_cast<ptrdiff_t>(directory), 'x');
  Put<uint32_t>(between, Find(between, zip::kEnd) + 16,
                static_cast<uint32_t>(directory + 1));
  EXPECT_THAT(OpenError(between), HasSubstr("member 'empty'"));
  EXPECT_THAT(OpenError({}), HasSubstr("end-of-directory record"));
  EXPECT_THAT(OpenError(Text("PK\x03\x04")), HasSubstr("end-of-directory record"));
}

TEST(ZipReaderTest, TakesAComment) {
  Bytes archive = Archive();
  Put<uint16_t>(archive, archive.size() - 2, uint16_t{5});
  for (char c : std::string("hello")) archive.push_back(static_cast<uint8_t>(c));
  EXPECT_EQ(OpenError(archive), "no error");
}

TEST(ZipReaderTest, RefusesDuplicates) {
  ZipWriter writer({});
  ASSERT_TRUE(writer.Add("a", Text("1")).ok());
  EXPECT_EQ(writer.Add("a", Text("2")).code(), absl::StatusCode::kAlreadyExists);
  ASSERT_TRUE(writer.Add("b", Text("2")).ok());
  Bytes archive = *std::move(writer).Finish();
  archive[Find(archive, zip::kLocalHeader, 1) + 30] = 'a';
  archive[Find(archive, zip::kDirectoryHeader, 1) + 46] = 'a';
  EXPECT_THAT(OpenError(archive),
              HasSubstr("member 'a': expected one member of that name"));
}

TEST(ZipReaderTest, RefusesMembersThatShareBytes) {
  // Both entries of the directory point to one member (a bomb's shape).
  ZipWriter writer({});
  ASSERT_TRUE(writer.Add("a", Text("1")).ok());
  ASSERT_TRUE(writer.Add("a2", Text("1")).ok());
  Bytes archive = *std::move(writer).Finish();
  const size_t second = Find(archive, zip::kDirectoryHeader, 1);
  Put<uint32_t>(archive, second + 42, 0);
  EXPECT_THAT(OpenError(archive), HasSubstr("a local header that agrees"));
  // A member whose data runs into the next.
  Bytes overlapping = Archive();
  const size_t directory = Find(overlapping, zip::kDirectoryHeader);
  for (size_t at : {size_t{18}, size_t{22}, directory + 20, directory + 24}) {
    Put<uint32_t>(overlapping, at, 100);
  }
  EXPECT_THAT(OpenError(overlapping),
              HasSubstr("member 'first': expected data that ends by"));
}

TEST(ZipReaderTest, RefusesALocalHeaderThatContradicts) {
  for (size_t at : {size_t{8}, size_t{14}, size_t{18}, size_t{22}, size_t{30}}) {
    Bytes archive = Archive();
    archive[at] ^= 1;
    EXPECT_THAT(OpenError(archive), HasSubstr("a local header that agrees")) << at;
  }
  Bytes archive = Archive();
  archive[0] = 'X';
  EXPECT_THAT(OpenError(archive), HasSubstr("a local header at byte 0"));
}

TEST(ZipReaderTest, RefusesADirectoryThatLies) {
  const Bytes archive = Archive();
  const size_t end = Find(archive, zip::kEnd);
  Bytes more = archive;
  Put<uint16_t>(more, end + 8, uint16_t{60000});
  Put<uint16_t>(more, end + 10, uint16_t{60000});
  EXPECT_THAT(OpenError(more),
              HasSubstr("as many members as the directory has room for"));
  Bytes fewer = archive;
  Put<uint16_t>(fewer, end + 8, uint16_t{2});
  Put<uint16_t>(fewer, end + 10, uint16_t{2});
  EXPECT_THAT(OpenError(fewer), HasSubstr("expected 2 members, found more bytes"));
  Bytes volumes = archive;
  Put<uint16_t>(volumes, end + 4, uint16_t{1});
  EXPECT_THAT(OpenError(volumes), HasSubstr("several"));
  Bytes offset = archive;
  Put<uint32_t>(offset, Find(archive, zip::kDirectoryHeader) + 42, 0xfffffff0);
  EXPECT_THAT(OpenError(offset), HasSubstr("a local header at byte 4294967280"));
  Bytes long_name = archive;
  Put<uint16_t>(long_name, Find(archive, zip::kDirectoryHeader, 2) + 28, uint16_t{500});
  EXPECT_THAT(OpenError(long_name), HasSubstr("inside the directory"));
}

TEST(ZipReaderTest, RefusesZip64RecordsThatLie) {
  const Bytes archive = Archive({false, true});
  const size_t record = Find(archive, zip::kZip64End);
  const size_t locator = Find(archive, zip::kZip64Locator);
  ASSERT_EQ(OpenError(archive), "no error");
  for (uint64_t value : {uint64_t{0}, uint64_t{record} + 1, ~uint64_t{0}}) {
    Bytes lying = archive;
    Put<uint64_t>(lying, locator + 8, value);
    EXPECT_THAT(OpenError(lying), HasSubstr("zip64 locator"));
    Bytes size = archive;
    Put<uint64_t>(size, record + 4, value);
    EXPECT_THAT(OpenError(size), HasSubstr("zip64 locator"));
    Bytes offset = archive;
    Put<uint64_t>(offset, record + 48, value);
    EXPECT_THAT(OpenError(offset), HasSubstr("end record"));
  }
  Bytes count = archive;
  Put<uint64_t>(count, record + 24, ~uint64_t{0});
  Put<uint64_t>(count, record + 32, ~uint64_t{0});
  EXPECT_THAT(OpenError(count), HasSubstr("as many members"));
  Bytes missing = archive;
  const size_t entry = Find(archive, zip::kDirectoryHeader);
  Put<uint16_t>(missing, entry + 46 + 5, uint16_t{0x7777});  // another extra field
  EXPECT_THAT(OpenError(missing), HasSubstr("64-bit sizes, found none"));
}

// Reads everything that can be read.
void ReadAll(const Bytes& bytes) {
  absl::StatusOr<ZipReader> reader = ZipReader::Open(bytes);
  if (!reader.ok()) return;
  for (const ZipEntry& entry : reader->entries()) {
    (void)reader->ReadPrefix(entry, 100);
    (void)reader->Read(entry, 1 << 20);
  }
}

TEST(ZipReaderTest, SurvivesDamage) {
  std::mt19937 random(1);
  for (bool deflate : {false, true}) {
    for (bool zip64 : {false, true}) {
      const Bytes archive = Archive({deflate, zip64});
      const size_t step = deflate ? 1 : 7;
      for (size_t size = 0; size < archive.size(); size += step) {
        Bytes cut(archive.begin(), archive.begin() + static_cast<ptrdiff_t>(size));
        EXPECT_NE(OpenError(cut), "no error") << size;
      }
      for (int i = 0; i < 2000; ++i) {
        Bytes damaged = archive;
        const int flips = 1 + static_cast<int>(random() % 4);
        for (int j = 0; j < flips; ++j) {
          damaged[random() % damaged.size()] ^=
              static_cast<uint8_t>(1u << (random() % 8));
        }
        ReadAll(damaged);
      }
    }
  }
}

}  // namespace
}  // namespace thunky::tooling
