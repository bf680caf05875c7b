#include "thunky/tooling/argument_value.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/hal/host/host_device.h"
#include "thunky/interp/loader.h"

namespace thunky::tooling {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

Bytes Uploaded(const ArgumentValue& value, uint64_t size) {
  const std::unique_ptr<hal::Device> device =
      hal::MakeHostDevice(interp::MakeInterpreterLoader());
  absl::StatusOr<std::unique_ptr<hal::Allocation>> buffer = device->Allocate(size);
  EXPECT_TRUE(buffer.ok()) << buffer.status();
  const absl::Status status = value.Upload(*device, (*buffer)->span());
  EXPECT_TRUE(status.ok()) << status;
  Bytes bytes(size);
  EXPECT_TRUE(device->Download(absl::MakeSpan(bytes), (*buffer)->span()).ok());
  return bytes;
}

TEST(ArgumentValueTest, ParsesFills) {
  EXPECT_EQ(ParseFill("zeros")->kind, Fill::Kind::kZeros);
  EXPECT_EQ(ParseFill("random")->seed, 0u);
  EXPECT_EQ(ParseFill("random:18446744073709551615")->seed, ~uint64_t{0});
  for (const char* text : {"", "zero", "random:", "random:-1", "random:x", "random: 1",
                           "random:18446744073709551616"}) {
    EXPECT_THAT(std::string(ParseFill(text).status().message()), HasSubstr("--fill"))
        << text;
  }
}

TEST(ArgumentValueTest, BytesThenZeros) {
  EXPECT_THAT(Uploaded(ArgumentValue::Bytes({1, 2}), 4), ElementsAre(1, 2, 0, 0));
  EXPECT_THAT(Uploaded(ArgumentValue::Bytes({}), 0), ElementsAre());
  const std::unique_ptr<hal::Device> device =
      hal::MakeHostDevice(interp::MakeInterpreterLoader());
  const auto buffer = device->Allocate(1);
  EXPECT_FALSE(ArgumentValue::Bytes({1, 2}).Upload(*device, (*buffer)->span()).ok());
}

TEST(ArgumentValueTest, Patterns) {
  EXPECT_THAT(Uploaded(ArgumentValue::Zeros(), 5), Each(0));
  // More than one piece.
  EXPECT_THAT(Uploaded(ArgumentValue::Ones(), (2 << 20) + 3), Each(0xff));
}

TEST(ArgumentValueTest, RandomIsInRangeAndVaries) {
  constexpr uint64_t kElements = 1000;
  for (const char* name : {"f16", "bf16", "f32", "f64", "f8e4m3fn", "f8e8m0fnu"}) {
    const ElementType& type = *FindElementType(name);
    const Bytes bytes =
        Uploaded(ArgumentValue::Random(type, 1, 0), kElements * type.npy.size);
    std::set<double> values;
    for (uint64_t i = 0; i < kElements; ++i) {
      const double value = AsFloat(type, bytes, i);
      ASSERT_LE(std::abs(value), 1) << name;
      values.insert(value);
    }
    EXPECT_GT(values.size(), 20u) << name;
  }
  const Bytes bools =
      Uploaded(ArgumentValue::Random(*FindElementType("pred"), 1, 0), 1000);
  EXPECT_EQ(std::set<uint8_t>(bools.begin(), bools.end()), (std::set<uint8_t>{0, 1}));
  const ElementType& s64 = *FindElementType("s64");
  const Bytes integers = Uploaded(ArgumentValue::Random(s64, 1, 0), 8 * kElements);
  for (uint64_t i = 0; i < kElements; ++i) {
    EXPECT_GE(AsSigned(s64, integers, i), 0);
    EXPECT_LT(AsSigned(s64, integers, i), 100);
  }
}

TEST(ArgumentValueTest, RandomDependsOnSeedAndStreamOnly) {
  const ElementType& type = *FindElementType("c64");
  auto bytes = [&](uint64_t seed, uint64_t stream) {
    return Uploaded(ArgumentValue::Random(type, seed, stream), 800);
  };
  EXPECT_EQ(bytes(1, 2), bytes(1, 2));
  EXPECT_NE(bytes(1, 2), bytes(1, 3));
  EXPECT_NE(bytes(1, 2), bytes(2, 2));
  // A longer array begins like a shorter one.
  const Bytes longer = Uploaded(ArgumentValue::Random(type, 1, 2), 1600);
  EXPECT_TRUE(std::equal(longer.begin(), longer.begin() + 800, bytes(1, 2).begin()));
}

}  // namespace
}  // namespace thunky::tooling
