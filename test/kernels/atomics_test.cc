// Atomics in shared and global memory.
#include <algorithm>
#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_fixture.h"

namespace thunky::kernel_tests {
namespace {

using ::testing::ElementsAreArray;

class AtomicsTest : public KernelTest {};

TEST_P(AtomicsTest, Histogram) {
  const auto ints = RandomInts(n(), 1, 0, 1 << 30);
  const std::vector<uint32_t> in(ints.begin(), ints.end());
  std::vector<uint32_t> counts(64);
  for (size_t i = 0; i < counts.size(); ++i) counts[i] = i;
  std::vector<uint32_t> expected = counts;
  for (uint32_t v : in) ++expected[v % 64];
  const Scenario scenario = {{ToBytes(in), ToBytes(counts)},
                             {{"histogram",
                               "histogram",
                               {n() == 0 ? Blocks(1) : 3},
                               block(),
                               0,
                               {Buffer(0), Buffer(1), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<uint32_t>(buffers[1]), ElementsAreArray(expected));
  });
}

// Each thread gets a different old value, and no value is lost.
TEST_P(AtomicsTest, OldValuesAreDistinct) {
  const Scenario scenario = {{ToBytes(std::vector<uint32_t>{5}), Bytes(n() * 4, 0xAA)},
                             {{"histogram",
                               "take_tickets",
                               {Blocks(threads())},
                               block(),
                               0,
                               {Buffer(0), Buffer(1), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_EQ(FromBytes<uint32_t>(buffers[0])[0], 5u + n());
    auto tickets = FromBytes<uint32_t>(buffers[1]);
    std::sort(tickets.begin(), tickets.end());
    std::vector<uint32_t> expected(n());
    std::iota(expected.begin(), expected.end(), 5u);
    EXPECT_THAT(tickets, ElementsAreArray(expected));
  });
}

// Thread numbers pass through one cell: each is kept once or is left in it.
TEST_P(AtomicsTest, ExchangeLosesNothing) {
  const Scenario scenario = {{ToBytes(std::vector<int32_t>{0}), Bytes(n() * 4, 0xAA)},
                             {{"histogram",
                               "exchange_ring",
                               {Blocks(threads())},
                               block(),
                               0,
                               {Buffer(0), Buffer(1), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    auto seen = FromBytes<int32_t>(buffers[1]);
    seen.push_back(FromBytes<int32_t>(buffers[0])[0]);
    std::sort(seen.begin(), seen.end());
    std::vector<int32_t> expected(n() + 1);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_THAT(seen, ElementsAreArray(expected));
  });
}

// Operations whose outcome does not depend on the order of the threads.
TEST_P(AtomicsTest, EveryOperation) {
  const std::vector<int32_t> cells = {50, 50, -1, 0, 0, 0, 0, 7, 100};
  std::vector<int32_t> expected = cells;
  uint64_t sum = 1, largest = 2;
  for (int i = 0; i < n(); ++i) {
    expected[0] = std::min(expected[0], i * 7 % 101);
    expected[1] = std::max(expected[1], i * 7 % 101);
    expected[2] &= ~(1 << (i % 31));
    expected[3] |= 1 << (i % 31);
    expected[4] ^= i;
    expected[5] = expected[5] >= 9 ? 0 : expected[5] + 1;
    expected[6] = expected[6] == 0 || expected[6] > 9 ? 9 : expected[6] - 1;
    expected[7] -= 2;
    expected[8] += 3;
    sum += static_cast<uint64_t>(i) << 20;
    largest = std::max(largest, static_cast<uint64_t>(i) * 0x100000001u);
  }
  const Scenario scenario = {{ToBytes(cells), ToBytes(std::vector<uint64_t>{1, 2}),
                              ToBytes(std::vector<float>{0})},
                             {{"histogram",
                               "atomic_operations",
                               {Blocks(threads())},
                               block(),
                               0,
                               {Buffer(0), Buffer(1), Buffer(2), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<int32_t>(buffers[0]), ElementsAreArray(expected));
    EXPECT_THAT(FromBytes<uint64_t>(buffers[1]), ElementsAreArray({sum, largest}));
    EXPECT_EQ(FromBytes<float>(buffers[2])[0], 0.5f * n());
  });
}

INSTANTIATE_KERNEL_TEST(AtomicsTest, (hal::Dim3{33}), (hal::Dim3{256}));

}  // namespace
}  // namespace thunky::kernel_tests
