#include "thunky/tooling/npz.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/tooling/files.h"

namespace thunky::tooling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

Bytes Zip(const std::vector<std::pair<std::string, Bytes>>& members) {
  ZipWriter writer({true, false});
  for (const auto& [name, content] : members) {
    EXPECT_TRUE(writer.Add(name, content).ok());
  }
  return *std::move(writer).Finish();
}

TEST(NpzTest, ReadsWhatItWrites) {
  for (bool deflate : {false, true}) {
    NpzWriter writer({deflate, false});
    ASSERT_TRUE(writer.Add("out1", {'i', 2}, {2}, Bytes{1, 0, 2, 0}).ok());
    ASSERT_TRUE(writer.Add("out0", {'f', 4}, {}, Bytes{0, 0, 128, 63}).ok());
    EXPECT_FALSE(writer.Add("bad", {'f', 4}, {2}, Bytes{0, 0, 128, 63}).ok());
    absl::StatusOr<Bytes> bytes = std::move(writer).Finish();
    ASSERT_TRUE(bytes.ok());
    absl::StatusOr<NpzReader> reader = NpzReader::Open(*bytes);
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_THAT(reader->names(), ElementsAre("out0", "out1"));
    EXPECT_TRUE(reader->contains("out0"));
    EXPECT_FALSE(reader->contains("out0.npy"));
    EXPECT_EQ(reader->Header("out1")->data_size, 4u);
    EXPECT_THAT(reader->Read("out1")->data, ElementsAre(1, 0, 2, 0));
    EXPECT_THAT(reader->Read("out0")->shape, ElementsAre());
    EXPECT_THAT(std::string(reader->Read("in0").status().message()),
                HasSubstr("expected an array 'in0', found out0, out1"));
  }
}

TEST(NpzTest, ReadsWhatNumPyWrites) {
  const char* data = std::getenv("THUNKY_TEST_DATA");
  ASSERT_NE(data, nullptr);
  absl::StatusOr<Bytes> bytes =
      ReadFile(std::string(data) + "/fixtures/jax-0.11.2-ptx/while_collatz/io.npz");
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  absl::StatusOr<NpzReader> reader = NpzReader::Open(*std::move(bytes));
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_THAT(reader->names(), ElementsAre("in0", "out0", "out1"));
  absl::StatusOr<Array> array = reader->Read("in0");
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(array->type, (NpyType{'i', 4}));
  EXPECT_EQ(array->data.size(), 4u);
}

TEST(NpzTest, RefusesMembersThatAreNoArrays) {
  const Bytes good = *SerializeNpy({'u', 1}, {2}, Bytes{1, 2});
  EXPECT_THAT(std::string(NpzReader::Open(Zip({{"readme", {}}})).status().message()),
              HasSubstr("member 'readme': expected a name that ends in .npy"));
  EXPECT_FALSE(NpzReader::Open(Zip({{".npy", good}})).ok());
  EXPECT_FALSE(NpzReader::Open(Zip({{"folder/", {}}})).ok());

  Bytes longer = good, shorter = good;
  longer.push_back(0);
  shorter.pop_back();
  absl::StatusOr<NpzReader> reader = NpzReader::Open(Zip({{"a.npy", longer},
                                                          {"b.npy", shorter},
                                                          {"c.npy", {}},
                                                          {"d.npy", {1, 2, 3}},
                                                          {"e.npy", good}}));
  ASSERT_TRUE(reader.ok()) << reader.status();
  auto error = [&](const char* name) {
    EXPECT_EQ(reader->Read(name).ok(), reader->Header(name).ok());
    return std::string(reader->Read(name).status().message());
  };
  EXPECT_THAT(error("a"),
              HasSubstr("a: array data: expected 2 bytes for u1[2], found 3"));
  EXPECT_THAT(error("b"),
              HasSubstr("b: array data: expected 2 bytes for u1[2], found 1"));
  EXPECT_THAT(error("c"), HasSubstr("c: start of the array"));
  EXPECT_THAT(error("d"), HasSubstr("d: start of the array"));
  EXPECT_EQ(error("e"), "");
}

}  // namespace
}  // namespace thunky::tooling
