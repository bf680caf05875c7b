// 64-bit integers, carry chains and f64.
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_fixture.h"

namespace thunky::kernel_tests {
namespace {

using ::testing::ElementsAreArray;

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

// Random words with the corner values mixed in.
std::vector<uint64_t> Words(size_t count, uint32_t seed) {
  const uint64_t corners[] = {0,          1,          ~0ull,     1ull << 63,
                              ~0ull >> 1, 0xffffffff, 1ull << 32};
  std::vector<uint64_t> words = RandomWords(count, seed);
  for (size_t i = 0; i < count; i += 3) words[i] = corners[(i / 3 + seed) % 7];
  return words;
}

class IntegerTest : public KernelTest {
 protected:
  // Runs out = entry(a, b) with `words` 64-bit words of result an element.
  void Run(const char* entry, const std::vector<uint64_t>& a,
           const std::vector<uint64_t>& b, const std::vector<uint64_t>& expected) {
    const Scenario scenario = {{ToBytes(a), ToBytes(b), Bytes(expected.size() * 8, 0xAA)},
                               {{"integers",
                                 entry,
                                 {Blocks(threads())},
                                 block(),
                                 0,
                                 {Buffer(0), Buffer(1), Buffer(2), Value(n())}}}};
    RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
      EXPECT_THAT(FromBytes<uint64_t>(buffers[2]), ElementsAreArray(expected));
    });
  }
};

uint64_t ReverseBits(uint64_t value, int bits) {
  uint64_t result = 0;
  for (int i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

// Bytes 2, 4, 1, 6 of the eight bytes of (y, x), from the lowest: 0x6142.
uint32_t PickBytes(uint32_t x, uint32_t y) {
  const uint64_t both = static_cast<uint64_t>(y) << 32 | x;
  auto byte = [&](int i) { return static_cast<uint32_t>(both >> (8 * i) & 0xff); };
  return byte(2) | byte(4) << 8 | byte(1) << 16 | byte(6) << 24;
}

std::vector<uint64_t> WideIntegers(uint64_t x, uint64_t y, int i) {
  const auto sx = static_cast<int64_t>(x);
  const auto sy = static_cast<int64_t>(y);
  const uint64_t first_set = y == 0 ? 0 : std::countr_zero(y) + 1;
  const uint32_t x_low = static_cast<uint32_t>(x);
  const uint64_t both = (y & 0xffffffff00000000) | x_low;
  const uint64_t funnel = both << (i & 31) >> 32;
  return {
      static_cast<uint64_t>(Wide{x} * y >> 64),
      static_cast<uint64_t>(static_cast<Wide>(SignedWide{sx} * sy) >> 64),
      x / (y | 1),
      x % (y | 1),
      static_cast<uint64_t>(sx >> (y & 63)),
      static_cast<uint64_t>(sx / static_cast<int64_t>((y >> 40) + 3)),
      static_cast<uint64_t>(std::popcount(x)) << 32 |
          static_cast<uint64_t>(std::countl_zero(y)),
      ReverseBits(x, 64) ^ ReverseBits(y & 0xffffffff, 32),
      PickBytes(x_low, static_cast<uint32_t>(y)) | funnel << 32,
      first_set ^ (x < y ? x : y),
  };
}

TEST_P(IntegerTest, SixtyFourBits) {
  const auto a = Words(n(), 1);
  const auto b = Words(n(), 2);
  std::vector<uint64_t> expected;
  for (int i = 0; i < n(); ++i) {
    const auto words = WideIntegers(a[i], b[i], i);
    expected.insert(expected.end(), words.begin(), words.end());
  }
  Run("wide_integers", a, b, expected);
}

Wide Join(const std::vector<uint64_t>& words, int i) {
  return Wide{words[2 * i + 1]} << 64 | words[2 * i];
}

TEST_P(IntegerTest, AddWithCarry) {
  const auto a = Words(2 * n(), 3);
  const auto b = Words(2 * n(), 4);
  std::vector<uint64_t> expected;
  for (int i = 0; i < n(); ++i) {
    const Wide sum = Join(a, i) + Join(b, i);
    expected.push_back(static_cast<uint64_t>(sum));
    expected.push_back(static_cast<uint64_t>(sum >> 64));
  }
  Run("add_128", a, b, expected);
}

TEST_P(IntegerTest, SubtractWithBorrow) {
  const auto a = Words(2 * n(), 5);
  const auto b = Words(2 * n(), 6);
  std::vector<uint64_t> expected;
  for (int i = 0; i < n(); ++i) {
    const Wide difference = Join(a, i) - Join(b, i);
    expected.push_back(static_cast<uint64_t>(difference));
    expected.push_back(static_cast<uint64_t>(difference >> 64));
  }
  Run("sub_128", a, b, expected);
}

TEST_P(IntegerTest, MultiplyAddWithCarry) {
  const auto a = Words(n(), 7);
  const auto b = Words(n(), 8);
  std::vector<uint64_t> expected;
  for (int i = 0; i < n(); ++i) {
    const Wide product = Wide{a[i]} * b[i];
    expected.push_back(static_cast<uint64_t>(product));
    expected.push_back(static_cast<uint64_t>(product >> 64));
  }
  Run("mul_64_by_madc", a, b, expected);
}

INSTANTIATE_KERNEL_TEST(IntegerTest, (hal::Dim3{33}), (hal::Dim3{128}));

class DoubleTest : public KernelTest {};

TEST_P(DoubleTest, DotProduct) {
  const auto x = RandomDoubles(n(), 9, -1, 1);
  const auto y = RandomDoubles(n(), 10, -1, 1);
  const uint64_t blocks = n() == 0 ? Blocks(1) : 2;
  double expected = 0;
  for (int i = 0; i < n(); ++i) expected += x[i] * y[i];
  const Scenario scenario = {{ToBytes(x), ToBytes(y), Bytes(blocks * 8, 0xAA)},
                             {{"doubles",
                               "dot_f64",
                               {blocks},
                               block(),
                               threads() * 8,
                               {Buffer(0), Buffer(1), Buffer(2), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    double sum = 0;
    for (double partial : FromBytes<double>(buffers[2])) sum += partial;
    // n additions, each within half an ulp of at most n.
    EXPECT_NEAR(sum, expected, double{1.2e-16} * n() * n());
  });
}

TEST_P(DoubleTest, ExactlyRoundedOperations) {
  auto x = RandomDoubles(n(), 11, -1e4, 1e4);
  for (int i = 2; i < n(); i += 5) x[i] = std::round(x[i]) + 0.5;
  std::vector<double> expected;
  for (double v : x) {
    const double p = std::fma(std::fma(std::fma(v, 0.125, -1.5), v, 3.25), v, -0.75);
    // The compiler contracts a * b + c, so the two sums are fused.
    const double rounds = std::fma(std::ceil(v), 1000.0, std::floor(v));
    expected.insert(expected.end(), {p, std::sqrt(std::fabs(v)), v / 3.0,
                                     std::fma(std::nearbyint(v), 1000000.0, rounds),
                                     static_cast<double>(static_cast<float>(v)) +
                                         static_cast<double>(static_cast<int>(v))});
  }
  const Scenario scenario = {{ToBytes(x), Bytes(expected.size() * 8, 0xAA)},
                             {{"doubles",
                               "polynomial_f64",
                               {Blocks(threads())},
                               block(),
                               0,
                               {Buffer(0), Buffer(1), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<double>(buffers[1]), ElementsAreArray(expected));
  });
}

INSTANTIATE_KERNEL_TEST(DoubleTest, (hal::Dim3{32}), (hal::Dim3{128}));

}  // namespace
}  // namespace thunky::kernel_tests
