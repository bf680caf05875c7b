#include "thunky/container/varint.h"

#include "gtest/gtest.h"

namespace thunky {
namespace {

TEST(Varint, RoundTripsAtEveryLength) {
  for (int bits = 0; bits <= 64; ++bits) {
    const uint64_t value = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
    std::string bytes;
    AppendVarint(value, bytes);
    bytes += "rest";
    size_t at = 0;
    ASSERT_EQ(ReadVarint(bytes, at), value);
    EXPECT_EQ(bytes.substr(at), "rest");
  }
}

TEST(Varint, WritesTheShortestForm) {
  std::string bytes;
  AppendVarint(0, bytes);
  AppendVarint(127, bytes);
  AppendVarint(300, bytes);
  EXPECT_EQ(bytes, std::string("\0\x7f\xac\x02", 4));
}

TEST(Varint, RefusesWhatDoesNotEndOrDoesNotFit) {
  for (const std::string& bytes :
       {std::string(), std::string("\x80"), std::string(10, '\x80'),
        std::string(9, '\xff') + "\x02", std::string(10, '\xff') + "\x01"}) {
    size_t at = 0;
    EXPECT_EQ(ReadVarint(bytes, at), std::nullopt);
    EXPECT_EQ(at, 0u);
  }
}

}  // namespace
}  // namespace thunky
