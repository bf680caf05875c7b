// Device functions with local arrays, and barriers off the straight path.
#include <algorithm>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_fixture.h"

namespace thunky::kernel_tests {
namespace {

using ::testing::ElementsAreArray;

class CallTest : public KernelTest {};

int32_t ShuffledMaximum(uint32_t seed, const std::vector<int32_t>& weights) {
  std::vector<int32_t> values(8);
  for (int i = 0; i < 8; ++i) values[i] = weights[i] + i * 3;
  for (int i = 0; i < 16; ++i) {
    const uint32_t a = (seed >> i) & 7;
    const uint32_t b = (seed >> (i + 3)) & 7;
    const int32_t swapped = values[a];
    values[a] = values[b] ^ i;
    values[b] = swapped;
  }
  return std::max(values[seed & 7], *std::max_element(values.begin(), values.end()));
}

TEST_P(CallTest, LocalArrayIndexedByValues) {
  const auto seeds = RandomInts(n(), 1, 0, 1 << 30);
  const std::vector<int32_t> weights = {9, -4, 100, 3, 77, -50, 0, 12};
  std::vector<int32_t> expected;
  expected.reserve(seeds.size());
  for (int32_t seed : seeds) {
    expected.push_back(ShuffledMaximum(static_cast<uint32_t>(seed), weights));
  }
  const Scenario scenario = {{ToBytes(seeds), ToBytes(weights), Bytes(n() * 4, 0xAA)},
                             {{"call",
                               "call_with_local_array",
                               {Blocks(threads())},
                               block(),
                               0,
                               {Buffer(0), Buffer(1), Buffer(2), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<int32_t>(buffers[2]), ElementsAreArray(expected));
  });
}

TEST_P(CallTest, CallsInADivergentLoop) {
  std::vector<uint32_t> in(n());
  std::vector<int32_t> expected(n());
  for (int i = 0; i < n(); ++i) {
    in[i] = i * 3;
    for (uint32_t x = in[i]; x > 1; x = x % 2 == 0 ? x / 2 : 3 * x + 1) ++expected[i];
  }
  const Scenario scenario = {{ToBytes(in), Bytes(n() * 4, 0xAA)},
                             {{"call",
                               "collatz",
                               {Blocks(threads())},
                               block(),
                               0,
                               {Buffer(0), Buffer(1), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<int32_t>(buffers[1]), ElementsAreArray(expected));
  });
}

INSTANTIATE_KERNEL_TEST(CallTest, (hal::Dim3{33}), (hal::Dim3{256}));

class BarrierTest : public KernelTest {
 protected:
  void SetUp() override { in_ = RandomInts(n(), 7, 1, 99); }

  // The element i of the input as the threads of a block see it.
  int32_t At(int i, int32_t otherwise) const { return i < n() ? in_[i] : otherwise; }

  void Run(const char* entry, const std::vector<int32_t>& expected,
           std::vector<Argument> more = {}) {
    std::vector<Argument> arguments = {Buffer(0), Buffer(1), Value(n())};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Scenario scenario = {{ToBytes(in_), Bytes(expected.size() * 4, 0xAA)},
                               {{"barriers",
                                 entry,
                                 {Blocks(threads())},
                                 block(),
                                 threads() * 4,
                                 std::move(arguments)}}};
    RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
      EXPECT_THAT(FromBytes<int32_t>(buffers[1]), ElementsAreArray(expected));
    });
  }

  std::vector<int32_t> in_;
};

TEST_P(BarrierTest, AfterAnEarlyExit) {
  const int size = static_cast<int>(threads());
  std::vector<int32_t> expected(n());
  for (int base = 0; base < n(); base += size) {
    const int count = std::min(size, n() - base);
    for (int t = 0; t < count; ++t) expected[base + t] = in_[base + count - 1 - t];
  }
  Run("early_exit", expected);
}

TEST_P(BarrierTest, InBranches) {
  const int size = static_cast<int>(threads());
  std::vector<int32_t> expected(n());
  for (int i = 0; i < n(); ++i) {
    const int base = i / size * size;
    const int32_t next = At(base + (i - base + 1) % size, 0);
    expected[i] = i / size % 2 == 0 ? next : 3 * next + 3 * in_[i];
  }
  Run("branch_barrier", expected);
}

TEST_P(BarrierTest, InNestedLoops) {
  const int size = static_cast<int>(threads());
  const int depth = 4;
  std::vector<int32_t> expected(n());
  for (int i = 0; i < n(); ++i) {
    const int base = i / size * size;
    expected[i] = At(base + (i - base + depth * (depth + 1) / 2) % size, -1);
  }
  Run("nested_loop_barrier", expected, {Value(depth)});
}

TEST_P(BarrierTest, ThatCountAndVote) {
  const int size = static_cast<int>(threads());
  std::vector<int32_t> expected;
  for (int base = 0; base < static_cast<int>(Blocks(size)) * size; base += size) {
    int32_t count = 0, every = 1, some = 0;
    for (int t = 0; t < size; ++t) {
      const int32_t value = At(base + t, 1);
      count += value % 3 == 0;
      every &= value > 0;
      some |= value > 95;
    }
    expected.insert(expected.end(), {count, every, some});
  }
  Run("counting_barrier", expected);
}

INSTANTIATE_KERNEL_TEST(BarrierTest, (hal::Dim3{33}), (hal::Dim3{128}));

}  // namespace
}  // namespace thunky::kernel_tests
