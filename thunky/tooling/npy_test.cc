#include "thunky/tooling/npy.h"

#include <cstring>
#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thunky::tooling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

// A file of the given version around a header text, as it stands.
Bytes File(std::string_view text, const Bytes& data = {}, int major = 1, int minor = 0) {
  Bytes bytes = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  bytes.push_back(static_cast<uint8_t>(major));
  bytes.push_back(static_cast<uint8_t>(minor));
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
    bytes.push_back(static_cast<uint8_t>(text.size() >> (8 * i)));
  }
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

Bytes Header(std::string_view descr, std::string_view shape,
             std::string_view order = "False") {
  return File("{'descr': '" + std::string(descr) + "', 'fortran_order': " +
              std::string(order) + ", 'shape': " + std::string(shape) + ", }\n");
}

std::string ErrorOf(const Bytes& bytes) {
  absl::StatusOr<Array> array = ParseNpy(bytes);
  return array.ok() ? "no error" : std::string(array.status().message());
}

TEST(NpyTest, ReadsEveryVersion) {
  for (int major : {1, 2, 3}) {
    absl::StatusOr<Array> array = ParseNpy(
        File("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }     \n",
             {1, 0, 2, 1}, major));
    ASSERT_TRUE(array.ok()) << array.status();
    EXPECT_EQ(array->type, (NpyType{'i', 2}));
    EXPECT_THAT(array->shape, ElementsAre(2, 1));
    EXPECT_THAT(array->data, ElementsAre(1, 0, 2, 1));
  }
  EXPECT_THAT(ErrorOf(File("{}", {}, 4)), HasSubstr("found 4.0"));
  EXPECT_THAT(ErrorOf(File("{}", {}, 1, 1)), HasSubstr("found 1.1"));
  EXPECT_THAT(ErrorOf(File("{}", {}, 0)), HasSubstr("found 0.0"));
}

TEST(NpyTest, ReadsEveryType) {
  for (const char* descr :
       {"|b1", "|i1", "<i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2",
        "<f4", "<f8", "<c8", "<c16", "|V1", "|V2", "<V2", "|V16"}) {
    absl::StatusOr<NpyHeader> header = ParseNpyHeader(Header(descr, "(3,)"));
    ASSERT_TRUE(header.ok()) << descr << ": " << header.status();
    EXPECT_EQ(header->type.ToString(), descr + 1);
    EXPECT_EQ(header->data_size, 3 * header->type.size);
  }
}

TEST(NpyTest, RefusesTypesByName) {
  EXPECT_THAT(ErrorOf(Header(">f4", "(3,)")),
              HasSubstr("little-endian data, found '>f4'"));
  for (const char* descr :
       {"<f16", "<f1", "<i3", "<c4", "|V17", "|V0", "|O", "|O8", "<U4", "|S4", "<M8",
        "<m8[ns]", "f4", "|f4", "=f4", "<f", "<f4444444", ""}) {
    EXPECT_THAT(ErrorOf(Header(descr, "(3,)")),
                HasSubstr(std::string("'") + descr + "'"));
  }
  EXPECT_THAT(ErrorOf(File("{'descr': [('a', '<f4')], 'fortran_order': False, "
                           "'shape': (3,), }\n")),
              HasSubstr("record type"));
}

TEST(NpyTest, ReadsShapes) {
  EXPECT_THAT(ParseNpyHeader(Header("<f4", "()"))->shape, ElementsAre());
  EXPECT_EQ(ParseNpyHeader(Header("<f4", "()"))->data_size, 4u);
  EXPECT_THAT(ParseNpyHeader(Header("<f4", "(7,)"))->shape, ElementsAre(7));
  EXPECT_THAT(ParseNpyHeader(Header("<f4", "(2,3,4)"))->shape, ElementsAre(2, 3, 4));
  EXPECT_EQ(ParseNpyHeader(Header("<f4", "(4611686018427387904, 0)"))->data_size, 0u);
}

TEST(NpyTest, RefusesShapes) {
  EXPECT_THAT(ErrorOf(Header("<f4", "(3)")), HasSubstr("expected ,"));
  EXPECT_THAT(ErrorOf(Header("<f4", "(-1,)")), HasSubstr("expected a dimension"));
  EXPECT_THAT(ErrorOf(Header("<f4", "(3L,)")), HasSubstr("expected ,"));
  EXPECT_THAT(ErrorOf(Header("<f4", "(9223372036854775808,)")), HasSubstr("below 2^63"));
  EXPECT_THAT(ErrorOf(Header("<f4", "(18446744073709551617,)")), HasSubstr("below 2^63"));
  EXPECT_THAT(ErrorOf(Header("<f4", "(9223372036854775807,)")),
              HasSubstr("fewer than 2^63 bytes"));
  EXPECT_THAT(ErrorOf(Header("|u1", "(4294967296, 4294967296)")),
              HasSubstr("fewer than 2^63 bytes"));
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1,";
  EXPECT_THAT(ErrorOf(Header("<f4", many + ")")), HasSubstr("at most 64 dimensions"));
}

TEST(NpyTest, RefusesHeadersThatAreNotOne) {
  EXPECT_THAT(ErrorOf({}), HasSubstr("magic string"));
  EXPECT_THAT(ErrorOf({0x93, 'N', 'U', 'M', 'P', 'X'}), HasSubstr("magic string"));
  EXPECT_THAT(ErrorOf({0x93, 'N', 'U', 'M', 'P', 'Y'}), HasSubstr("expected 8 bytes"));
  EXPECT_THAT(ErrorOf(File("")), HasSubstr("expected {"));
  EXPECT_THAT(ErrorOf(File("{'descr': '<f4'}")), HasSubstr("found fewer"));
  EXPECT_THAT(ErrorOf(File("{'descr': '<f4', 'descr': '<f4'}")),
              HasSubstr("found 'descr'"));
  EXPECT_THAT(ErrorOf(File("{'color': 3}")), HasSubstr("found 'color'"));
  EXPECT_THAT(ErrorOf(File("{'fortran_order': 1}")), HasSubstr("True or False"));
  EXPECT_THAT(ErrorOf(File("{'descr")), HasSubstr("a key"));
  EXPECT_THAT(
      ErrorOf(File("{'descr': '<f4', 'fortran_order': False, 'shape': (), } more")),
      HasSubstr("the end of the header"));
  Bytes longer = File(std::string(20000, ' '));
  EXPECT_THAT(ErrorOf(longer), HasSubstr("at most 16384"));
  // A declared length of 4 GiB must not be believed.
  Bytes lying = File("{}", {}, 2);
  lying[8] = lying[9] = lying[10] = lying[11] = 0xff;
  EXPECT_THAT(ErrorOf(lying), HasSubstr("at most 16384"));
}

TEST(NpyTest, DataMustBeExactlyAsLongAsTheHeaderSays) {
  Bytes bytes = Header("<f4", "(2,)");
  EXPECT_THAT(ErrorOf(bytes), HasSubstr("expected 8 bytes for f4[2], found 0"));
  bytes.insert(bytes.end(), 9, 0);
  EXPECT_THAT(ErrorOf(bytes), HasSubstr("expected 8 bytes for f4[2], found 9"));
  bytes.pop_back();
  EXPECT_EQ(ErrorOf(bytes), "no error");
}

TEST(NpyTest, PutsFortranOrderIntoCOrder) {
  Bytes bytes = Header("<u2", "(2, 3)", "True");
  // Columns (0,10), (1,11), (2,12).
  for (uint8_t value : {0, 10, 1, 11, 2, 12}) bytes.insert(bytes.end(), {value, 0});
  absl::StatusOr<Array> array = ParseNpy(bytes);
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_THAT(array->shape, ElementsAre(2, 3));
  EXPECT_THAT(array->data, ElementsAre(0, 0, 1, 0, 2, 0, 10, 0, 11, 0, 12, 0));

  Bytes cube = Header("|u1", "(2, 2, 2)", "True");
  cube.insert(cube.end(), {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_THAT(ParseNpy(cube)->data, ElementsAre(0, 4, 2, 6, 1, 5, 3, 7));
  EXPECT_EQ(ErrorOf(Header("|u1", "(0, 4611686018427387904, 9)", "True")), "no error");
}

TEST(NpyTest, WritesWhatItReads) {
  const std::vector<std::vector<uint64_t>> shapes = {{}, {4}, {2, 3}, {0, 5}};
  for (const std::vector<uint64_t>& shape : shapes) {
    uint64_t elements = 1;
    for (uint64_t dimension : shape) elements *= dimension;
    Bytes data(elements * 4);
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i * 7);
    absl::StatusOr<Bytes> bytes = SerializeNpy({'f', 4}, shape, data);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ((bytes->size() - data.size()) % 64, 0u);
    absl::StatusOr<Array> array = ParseNpy(*bytes);
    ASSERT_TRUE(array.ok()) << array.status();
    EXPECT_EQ(array->shape, shape);
    EXPECT_EQ(array->data, data);
  }
  EXPECT_FALSE(SerializeNpy({'f', 4}, {3}, Bytes(11)).ok());
}

TEST(NpyTest, WritesTheHeaderNumPyWrites) {
  const Bytes bytes = *SerializeNpy({'f', 4}, {3}, Bytes(12));
  const std::string text(bytes.begin() + 10, bytes.begin() + 66);
  EXPECT_EQ(text, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), ");
  EXPECT_EQ(bytes[127], '\n');
}

}  // namespace
}  // namespace thunky::tooling
