#include "thunky/tooling/launch_argument.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thunky::tooling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = LaunchArgument::Kind;

std::string ErrorOf(const std::string& text) {
  return std::string(ParseLaunchArgument(text).status().message());
}

TEST(LaunchArgumentTest, Scalars) {
  absl::StatusOr<LaunchArgument> argument = ParseLaunchArgument("f32:2.5");
  ASSERT_TRUE(argument.ok()) << argument.status();
  EXPECT_EQ(argument->kind, Kind::kScalar);
  EXPECT_THAT(argument->bytes, ElementsAre(0, 0, 32, 64));
  EXPECT_FALSE(argument->is_buffer());
  EXPECT_THAT(ParseLaunchArgument("i16:-2")->bytes, ElementsAre(254, 255));
  EXPECT_EQ(ParseLaunchArgument("null")->kind, Kind::kNull);
  EXPECT_THAT(ParseLaunchArgument("null")->bytes, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(LaunchArgumentTest, Outputs) {
  absl::StatusOr<LaunchArgument> argument = ParseLaunchArgument("out:f64[3,5]");
  ASSERT_TRUE(argument.ok()) << argument.status();
  EXPECT_EQ(argument->kind, Kind::kOutput);
  EXPECT_THAT(argument->shape, ElementsAre(3, 5));
  EXPECT_EQ(argument->size, 120u);
  EXPECT_TRUE(argument->bytes.empty());
  EXPECT_EQ(ParseLaunchArgument("out:bf16[]")->size, 2u);
  EXPECT_EQ(ParseLaunchArgument("out:i32[7,0]")->size, 0u);
}

TEST(LaunchArgumentTest, Wrong) {
  for (const char* text : {"out:", "out:f32", "out:[3]", "out:f32]3[", "out:f32[3,]",
                           "out:f32[ 3]", "out:f32[+3]", "out:f33[3]"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("expected an array type")) << text;
    EXPECT_THAT(ErrorOf(text), HasSubstr(std::string("--arg ") + text));
  }
  EXPECT_THAT(ErrorOf("out:f32[4294967296,4294967296]"), HasSubstr("2^63"));
  EXPECT_THAT(ErrorOf("f32:x"), HasSubstr("--arg f32:x: expected a value of f32"));
  EXPECT_THAT(ErrorOf("bf16:1"), HasSubstr("not supported on the command line"));
  EXPECT_THAT(ErrorOf("no-such-file.npy"), HasSubstr("cannot open"));
  EXPECT_THAT(ErrorOf("inout:no-such-file.npy"), HasSubstr("cannot open"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("cannot open"));
}

TEST(LaunchArgumentTest, Dimensions) {
  absl::StatusOr<hal::Dim3> dims = ParseDim3("--grid", "4,3,2");
  ASSERT_TRUE(dims.ok()) << dims.status();
  EXPECT_EQ(dims->x, 4u);
  EXPECT_EQ(dims->y, 3u);
  EXPECT_EQ(dims->z, 2u);
  EXPECT_EQ(ParseDim3("--grid", "7")->y, 1u);
  for (const char* text :
       {"", ",", "1,", "1,2,3,4", "-1", "1.5", "0x10", "99999999999999999999"}) {
    EXPECT_THAT(std::string(ParseDim3("--grid", text).status().message()),
                HasSubstr("--grid: expected X, X,Y or X,Y,Z"))
        << text;
  }
}

}  // namespace
}  // namespace thunky::tooling
