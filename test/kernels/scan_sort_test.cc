// Scan over blocks with carries, and sort in shared memory.
#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_fixture.h"

namespace thunky::kernel_tests {
namespace {

using ::testing::ElementsAreArray;

class ScanTest : public KernelTest {
 protected:
  void SetUp() override {
    in_ = RandomInts(n(), 1, -1000, 1000);
    expected_.resize(n());
    std::partial_sum(in_.begin(), in_.end(), expected_.begin());
  }

  std::vector<int32_t> in_;
  std::vector<int32_t> expected_;
};

TEST_P(ScanTest, ThreeLaunches) {
  const uint64_t blocks = Blocks(threads());
  const uint64_t shared = threads() * 4;
  const hal::Dim3 one_block = {blocks == 0 ? 0u : 1u};
  const Scenario scenario = {
      {ToBytes(in_), Bytes(n() * 4, 0xAA), Bytes(blocks * 4, 0xAA)},
      {{"scan",
        "scan_blocks",
        {blocks},
        block(),
        shared,
        {Buffer(0), Buffer(1), Buffer(2), Value(n())}},
       {"scan",
        "scan_sums",
        one_block,
        block(),
        shared,
        {Buffer(2), Value(static_cast<int>(blocks))}},
       {"scan", "scan_add", {blocks}, block(), 0, {Buffer(1), Buffer(2), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<int32_t>(buffers[1]), ElementsAreArray(expected_));
  });
}

TEST_P(ScanTest, OneLaunchWithCarries) {
  const uint64_t blocks = Blocks(threads());
  const Scenario scenario = {
      {ToBytes(in_), Bytes(n() * 4, 0xAA), Bytes(blocks * 4), Bytes(blocks * 4)},
      {{"scan",
        "scan_chained",
        {blocks},
        block(),
        threads() * 4,
        {Buffer(0), Buffer(1), Buffer(2), Buffer(3), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<int32_t>(buffers[1]), ElementsAreArray(expected_));
  });
}

INSTANTIATE_KERNEL_TEST(ScanTest, (hal::Dim3{32}), (hal::Dim3{128}));

class SortTest : public KernelTest {
 protected:
  // One block sorts 2 * threads keys at most; the rest of a larger array stays.
  template <typename T>
  void Run(const char* entry, const std::vector<T>& in) {
    const int count = std::min<int>(n(), 2 * threads());
    std::vector<T> expected = in;
    std::sort(expected.begin(), expected.begin() + count);
    const Scenario scenario = {{ToBytes(in)},
                               {{"sort",
                                 entry,
                                 {n() == 0 ? Blocks(1) : 1},
                                 block(),
                                 threads() * 2 * sizeof(T),
                                 {Buffer(0), Value(count)}}}};
    RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
      EXPECT_THAT(FromBytes<T>(buffers[0]), ElementsAreArray(expected));
    });
  }
};

TEST_P(SortTest, Ints) {
  auto in = RandomInts(n(), 2, std::numeric_limits<int32_t>::min(),
                       std::numeric_limits<int32_t>::max());
  for (size_t i = 5; i < in.size(); i += 7) in[i] = in[i - 3];
  Run("bitonic_sort_i32", in);
}

TEST_P(SortTest, Floats) {
  auto in = RandomFloats(n(), 3, -1e6f, 1e6f);
  if (n() > 20) {
    in[3] = std::numeric_limits<float>::infinity();
    in[11] = -std::numeric_limits<float>::infinity();
    in[17] = 1e-42f;
  }
  Run("bitonic_sort_f32", in);
}

INSTANTIATE_KERNEL_TEST(SortTest, (hal::Dim3{64}), (hal::Dim3{512}));

}  // namespace
}  // namespace thunky::kernel_tests
