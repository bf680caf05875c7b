// Sums of blocks and warps, and the other warp operations.
#include <cmath>
#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_fixture.h"

namespace thunky::kernel_tests {
namespace {

using ::testing::ElementsAreArray;

// f32 sums in another order: each of up to n additions errs by half an ulp of a
// partial sum no larger than the sum of magnitudes.
double SumTolerance(const std::vector<float>& values) {
  double magnitude = 0;
  for (float v : values) magnitude += std::fabs(v);
  return magnitude * static_cast<double>(values.size()) * 6e-8;
}

class ReduceTest : public KernelTest {
 protected:
  // Sum of in[i] for each i in the part [k * size, (k + 1) * size).
  template <typename T, typename Sum>
  static std::vector<Sum> PartSums(const std::vector<T>& in, size_t parts, size_t size) {
    std::vector<Sum> sums(parts);
    for (size_t i = 0; i < in.size(); ++i) sums[i / size] += in[i];
    return sums;
  }

  Scenario SumOf(const char* entry, Bytes in, uint64_t results, uint64_t shared) {
    return {{std::move(in), Bytes(results * 4, 0xAA)},
            {{"reduce",
              entry,
              {Blocks(threads())},
              block(),
              shared,
              {Buffer(0), Buffer(1), Value(n())}}}};
  }
};

TEST_P(ReduceTest, BlockSumOfInts) {
  const auto in = RandomInts(n(), 1, -1000000, 1000000);
  const uint64_t blocks = Blocks(threads());
  const auto expected = PartSums<int32_t, int32_t>(in, blocks, threads());
  RunAndCheck(SumOf("block_sum_i32", ToBytes(in), blocks, threads() * 4),
              [&](const std::vector<Bytes>& buffers) {
                EXPECT_THAT(FromBytes<int32_t>(buffers[1]), ElementsAreArray(expected));
              });
}

TEST_P(ReduceTest, BlockSumOfFloats) {
  const auto in = RandomFloats(n(), 2, -1, 1);
  const uint64_t blocks = Blocks(threads());
  const auto expected = PartSums<float, double>(in, blocks, threads());
  RunAndCheck(SumOf("block_sum_f32", ToBytes(in), blocks, threads() * 4),
              [&](const std::vector<Bytes>& buffers) {
                const auto sums = FromBytes<float>(buffers[1]);
                ASSERT_EQ(sums.size(), expected.size());
                for (size_t i = 0; i < sums.size(); ++i) {
                  EXPECT_NEAR(sums[i], expected[i], SumTolerance(in)) << "block " << i;
                }
              });
}

TEST_P(ReduceTest, WarpSumOfInts) {
  const auto in = RandomInts(n(), 3, -1000000, 1000000);
  const uint64_t warps = Blocks(threads()) * threads() / 32;
  const auto expected = PartSums<int32_t, int32_t>(in, warps, 32);
  RunAndCheck(SumOf("warp_sum_i32", ToBytes(in), warps, 0),
              [&](const std::vector<Bytes>& buffers) {
                EXPECT_THAT(FromBytes<int32_t>(buffers[1]), ElementsAreArray(expected));
              });
}

TEST_P(ReduceTest, WarpSumOfFloats) {
  const auto in = RandomFloats(n(), 4, -1, 1);
  const uint64_t warps = Blocks(threads()) * threads() / 32;
  const auto expected = PartSums<float, double>(in, warps, 32);
  RunAndCheck(SumOf("warp_sum_f32", ToBytes(in), warps, 0),
              [&](const std::vector<Bytes>& buffers) {
                const auto sums = FromBytes<float>(buffers[1]);
                ASSERT_EQ(sums.size(), expected.size());
                for (size_t i = 0; i < sums.size(); ++i) {
                  EXPECT_NEAR(sums[i], expected[i], SumTolerance(in)) << "warp " << i;
                }
              });
}

// What the lanes of one warp get, for the values they hold.
std::vector<int32_t> WarpOperations(const std::vector<int32_t>& v) {
  uint32_t ballot = 0;
  uint32_t sum = 0;
  bool any = false, all = true;
  for (int lane = 0; lane < 32; ++lane) {
    ballot |= static_cast<uint32_t>(v[lane] & 1) << lane;
    sum += static_cast<uint32_t>(v[lane]);
    any = any || v[lane] > 90;
    all = all && v[lane] >= 0;
  }
  std::vector<int32_t> out;
  for (int lane = 0; lane < 32; ++lane) {
    uint32_t match = 0;
    for (int other = 0; other < 32; ++other) {
      match |= static_cast<uint32_t>((v[other] & 3) == (v[lane] & 3)) << other;
    }
    out.push_back(v[lane ^ 5]);
    out.push_back(lane % 8 < 3 ? v[lane] : v[lane - 3]);
    out.push_back(v[lane / 16 * 16 + lane * 7 % 16]);
    out.push_back(static_cast<int32_t>(ballot));
    out.push_back((any ? 2 : 0) + (all ? 1 : 0));
    out.push_back(static_cast<int32_t>(match));
    out.push_back(static_cast<int32_t>(sum));
  }
  return out;
}

TEST_P(ReduceTest, WarpOperations) {
  const auto in = RandomInts(n(), 5, -3, 99);
  std::vector<int32_t> expected;
  for (int base = 0; base < n(); base += 32) {
    std::vector<int32_t> warp(32, 0);
    for (int i = 0; i < 32 && base + i < n(); ++i) warp[i] = in[base + i];
    for (int32_t v : WarpOperations(warp)) expected.push_back(v);
  }
  expected.resize(n() * 7);
  RunAndCheck(SumOf("warp_operations", ToBytes(in), n() * 7, 0),
              [&](const std::vector<Bytes>& buffers) {
                EXPECT_THAT(FromBytes<int32_t>(buffers[1]), ElementsAreArray(expected));
              });
}

INSTANTIATE_KERNEL_TEST(ReduceTest, (hal::Dim3{32}), (hal::Dim3{256}));

}  // namespace
}  // namespace thunky::kernel_tests
