#include "thunky/runtime/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thunky::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

schema::TensorType F32(std::vector<int64_t> dimensions) {
  return {.element_type = wire::F32,
          .dimensions = std::move(dimensions),
          .minor_to_major = {},
          .storage_bits = 32};
}

// x (f32[4]) is donated to result {0}; y (f32[2,2]) is only read; results {1} and
// {2} share an allocation; result {3} is a constant.
schema::Signature Example() {
  schema::Signature signature;
  schema::SignatureParameter x;
  x.allocation = 5;
  x.size = 16;
  x.type = F32({4});
  x.name = "x";
  x.aliased_results = {0};
  schema::SignatureParameter y;
  y.number = 3;
  y.allocation = 2;
  y.size = 16;
  y.type = F32({2, 2});
  signature.parameters = {x, y};
  for (int i = 0; i < 4; ++i) {
    schema::SignatureResult result;
    result.shape_index = {i};
    result.allocation = i == 0 ? 5 : 7;
    result.size = i == 0 ? 16 : 8;
    result.type = F32({2});
    result.first_in_allocation = i == 2 ? 1 : i;
    signature.results.push_back(result);
  }
  signature.results[0].aliased_parameter = 0;
  signature.results[3].constant = 0;
  signature.results[3].allocation = 9;
  return signature;
}

TEST(Arguments, ParametersFirstThenResultsThatAliasNone) {
  const std::vector<Argument> arguments = ArgumentsOf(Example());
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[0].parameter, 0);
  EXPECT_THAT(arguments[0].results, ElementsAre(0));
  EXPECT_TRUE(arguments[0].written);
  EXPECT_EQ(arguments[0].allocation, 5);
  EXPECT_EQ(arguments[1].parameter, 1);
  EXPECT_FALSE(arguments[1].written);
  EXPECT_FALSE(arguments[2].parameter.has_value());
  EXPECT_THAT(arguments[2].results, ElementsAre(1, 2));
  EXPECT_TRUE(arguments[2].written);
  EXPECT_THAT(arguments[3].results, ElementsAre(3));
  EXPECT_EQ(arguments[3].constant, 0);
  EXPECT_FALSE(arguments[3].allocation.has_value());
}

TEST(Arguments, TheFileMayGiveTheOrderAndNames) {
  schema::Signature signature = Example();
  signature.arguments = {{9, "answer"}, {2, "in"}, {7, ""}, {5, ""}};
  const std::vector<Argument> arguments = ArgumentsOf(signature);
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[0].constant, 0);
  EXPECT_EQ(arguments[0].Describe(signature, 0), "result {3} 'answer' (f32[2])");
  EXPECT_EQ(arguments[1].parameter, 1);
  EXPECT_EQ(arguments[1].name, "in");
  EXPECT_THAT(arguments[2].results, ElementsAre(1, 2));
  EXPECT_EQ(arguments[3].parameter, 0);
  EXPECT_EQ(arguments[3].name, "x");
}

TEST(Arguments, APassedThroughParameterIsNotWritten) {
  schema::Signature signature = Example();
  signature.results[0].passthrough = true;
  EXPECT_FALSE(ArgumentsOf(signature)[0].written);
}

TEST(Arguments, DescriptionsNameThem) {
  const schema::Signature signature = Example();
  const std::vector<Argument> arguments = ArgumentsOf(signature);
  EXPECT_EQ(arguments[0].Describe(signature, 0), "argument 0 'x' (f32[4])");
  EXPECT_EQ(arguments[1].Describe(signature, 1), "argument 1 (f32[2,2])");
  EXPECT_EQ(arguments[2].Describe(signature, 2), "result {1} (f32[2])");
}

class CheckArgumentsTest : public testing::Test {
 protected:
  std::string Check(const std::vector<hal::DeviceSpan>& bound) {
    return std::string(CheckArguments(signature_, arguments_, bound).message());
  }
  schema::Signature signature_ = Example();
  std::vector<Argument> arguments_ = ArgumentsOf(signature_);
  std::vector<hal::DeviceSpan> good_ = {{256, 16}, {512, 16}, {1024, 8}, {2048, 8}};
};

TEST_F(CheckArgumentsTest, AcceptsWhatFits) { EXPECT_EQ(Check(good_), ""); }

TEST_F(CheckArgumentsTest, CountsAreCompared) {
  auto bound = good_;
  bound.pop_back();
  EXPECT_EQ(Check(bound), "4 arguments expected, 3 given");
  bound = good_;
  bound.push_back({4096, 8});
  EXPECT_EQ(Check(bound), "4 arguments expected, 5 given");
}

TEST_F(CheckArgumentsTest, SizesAndAlignmentNameTheArgument) {
  auto bound = good_;
  bound[1].size = 12;
  EXPECT_EQ(Check(bound), "argument 1 (f32[2,2]): 16 bytes expected, 12 given");
  bound = good_;
  bound[0].address += 8;
  EXPECT_THAT(Check(bound), HasSubstr("argument 0 'x' (f32[4]): an address at a multiple "
                                      "of 16 bytes expected, 0x108 given"));
}

}  // namespace
}  // namespace thunky::runtime
