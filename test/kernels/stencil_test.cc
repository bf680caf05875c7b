// Stencils with halos, in one and two dimensions.
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_fixture.h"

namespace thunky::kernel_tests {
namespace {

using ::testing::ElementsAreArray;

class StencilTest : public KernelTest {};

// Inputs are small integers: all sums are exact.
TEST_P(StencilTest, OneDimension) {
  const auto ints = RandomInts(n(), 1, -100, 100);
  const std::vector<float> in(ints.begin(), ints.end());
  auto at = [&](int i) { return i >= 0 && i < n() ? in[i] : 0.0f; };
  std::vector<float> expected(n());
  for (int i = 0; i < n(); ++i) {
    expected[i] =
        (at(i - 2) + 4 * at(i - 1) + 6 * at(i) + 4 * at(i + 1) + at(i + 2)) / 16;
  }
  const Scenario scenario = {{ToBytes(in), Bytes(n() * 4, 0xAA)},
                             {{"stencil",
                               "stencil_1d",
                               {Blocks(threads())},
                               {threads()},
                               (threads() + 4) * 4,
                               {Buffer(0), Buffer(1), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<float>(buffers[1]), ElementsAreArray(expected));
  });
}

TEST_P(StencilTest, TwoDimensions) {
  const int h = n() == 1000 ? 25 : n() == 0 ? 0 : 1;
  const int w = n() == 1000 ? 40 : n();
  const auto ints = RandomInts(n(), 2, -100, 100);
  const std::vector<float> in(ints.begin(), ints.end());
  auto at = [&](int y, int x) {
    return y >= 0 && y < h && x >= 0 && x < w ? in[y * w + x] : 0.0f;
  };
  std::vector<float> expected(n());
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      expected[y * w + x] =
          4 * at(y, x) - at(y - 1, x) - at(y + 1, x) - at(y, x - 1) - at(y, x + 1);
    }
  }
  const hal::Dim3 grid = n() == 0 ? hal::Dim3{Blocks(1), 1}
                                  : hal::Dim3{(w + block().x - 1) / block().x,
                                              (h + block().y - 1) / block().y};
  const Scenario scenario = {{ToBytes(in), Bytes(n() * 4, 0xAA)},
                             {{"stencil",
                               "stencil_2d",
                               grid,
                               block(),
                               (block().x + 2) * (block().y + 2) * 4,
                               {Buffer(0), Buffer(1), Value(h), Value(w)}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<float>(buffers[1]), ElementsAreArray(expected));
  });
}

INSTANTIATE_KERNEL_TEST(StencilTest, (hal::Dim3{16, 4}), (hal::Dim3{11, 3}));

}  // namespace
}  // namespace thunky::kernel_tests
