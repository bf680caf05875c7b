// By-value scalars: saxpy and parameters of every width.
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_fixture.h"

namespace thunky::kernel_tests {
namespace {

using ::testing::ElementsAreArray;

class SaxpyTest : public KernelTest {
 protected:
  // Small multiples of powers of two: product and sum are exact, fused or not.
  void Run(const char* entry, uint64_t blocks) {
    const float a = 2.5f;
    std::vector<float> x(n()), y(n()), expected(n());
    for (int i = 0; i < n(); ++i) {
      x[i] = 0.25f * (i % 97) - 3.0f;
      y[i] = 1.0f - i;
      expected[i] = a * x[i] + y[i];
    }
    const Scenario scenario = {{ToBytes(x), ToBytes(y)},
                               {{"saxpy",
                                 entry,
                                 {blocks},
                                 block(),
                                 0,
                                 {Buffer(0), Buffer(1), Value(a), Value(n())}}}};
    RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
      EXPECT_THAT(FromBytes<float>(buffers[1]), ElementsAreArray(expected));
      EXPECT_EQ(buffers[0], scenario.buffers[0]) << "the input changed";
    });
  }
};

TEST_P(SaxpyTest, OneElementPerThread) { Run("saxpy", Blocks(threads())); }
TEST_P(SaxpyTest, GridStrideLoop) { Run("saxpy_strided", n() == 0 ? Blocks(1) : 2); }

TEST_P(SaxpyTest, ScalarsOfEveryWidth) {
  std::vector<double> expected(n());
  for (int i = 0; i < n(); ++i) {
    expected[i] = -100 + 60000 - 2000000000 + 9007199254740991.0 + 0.5 + -0.25 + i;
  }
  const Scenario scenario = {
      {Bytes(n() * sizeof(double))},
      {{"saxpy",
        "mixed_scalars",
        {Blocks(threads())},
        block(),
        0,
        {Buffer(0), Value<int8_t>(-100), Value<uint16_t>(60000), Value(-2000000000),
         Value<int64_t>(9007199254740991), Value(0.5f), Value(-0.25), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<double>(buffers[0]), ElementsAreArray(expected));
  });
}

INSTANTIATE_KERNEL_TEST(SaxpyTest, (hal::Dim3{33}), (hal::Dim3{256}));

}  // namespace
}  // namespace thunky::kernel_tests
