// Two-dimensional tiles: matrix product and transpose.
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_fixture.h"

namespace thunky::kernel_tests {
namespace {

using ::testing::ElementsAreArray;

// Rows and columns of a matrix of about n elements that is not square.
struct Extent {
  int rows = 0;
  int columns = 0;
};

Extent ExtentOf(int n) {
  switch (n) {
    case 0:
      return {0, 0};
    case 1:
      return {1, 1};
    case 31:
      return {1, 31};
    case 33:
      return {33, 1};
    default:
      return {25, 40};
  }
}

uint64_t Tiles(int extent, int tile, uint64_t if_empty) {
  return extent == 0 ? if_empty : (static_cast<uint64_t>(extent) + tile - 1) / tile;
}

class MatmulTest : public KernelTest {};

// k is not a multiple of the tile. Entries are small integers: sums are exact.
TEST_P(MatmulTest, MatchesReference) {
  const auto [m, columns] = ExtentOf(n());
  const int k = n() == 0 ? 0 : 19;
  const auto a_ints = RandomInts(m * k, 1, -8, 8);
  const auto b_ints = RandomInts(k * columns, 2, -8, 8);
  const std::vector<float> a(a_ints.begin(), a_ints.end());
  const std::vector<float> b(b_ints.begin(), b_ints.end());
  std::vector<float> expected(m * columns);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < columns; ++j) {
      for (int p = 0; p < k; ++p)
        expected[i * columns + j] += a[i * k + p] * b[p * columns + j];
    }
  }
  const int tile = static_cast<int>(block().x);
  const uint64_t empty = GetParam().empty_grid;
  const Scenario scenario = {
      {ToBytes(a), ToBytes(b), Bytes(expected.size() * 4, 0xAA)},
      {{"matmul",
        tile == 8 ? "matmul_8" : "matmul_16",
        {Tiles(columns, tile, empty), Tiles(m, tile, empty)},
        block(),
        0,
        {Buffer(0), Buffer(1), Buffer(2), Value(m), Value(columns), Value(k)}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<float>(buffers[2]), ElementsAreArray(expected));
  });
}

// Entries that round: each of k fused steps errs by half an ulp of a partial sum
// of at most k.
TEST_P(MatmulTest, RoundsLikeASumOfFloats) {
  const auto [m, columns] = ExtentOf(n());
  const int k = n() == 0 ? 0 : 37;
  const auto a = RandomFloats(m * k, 3, -1, 1);
  const auto b = RandomFloats(k * columns, 4, -1, 1);
  const int tile = static_cast<int>(block().x);
  const uint64_t empty = GetParam().empty_grid;
  const Scenario scenario = {
      {ToBytes(a), ToBytes(b), Bytes(m * columns * 4, 0xAA)},
      {{"matmul",
        tile == 8 ? "matmul_8" : "matmul_16",
        {Tiles(columns, tile, empty), Tiles(m, tile, empty)},
        block(),
        0,
        {Buffer(0), Buffer(1), Buffer(2), Value(m), Value(columns), Value(k)}}}};
  RunAndCheck(scenario, [&, m = m, columns = columns](const std::vector<Bytes>& buffers) {
    const auto c = FromBytes<float>(buffers[2]);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < columns; ++j) {
        double sum = 0;
        for (int p = 0; p < k; ++p) sum += double{a[i * k + p]} * b[p * columns + j];
        EXPECT_NEAR(c[i * columns + j], sum, k * k * 6e-8) << i << ", " << j;
      }
    }
  });
}

INSTANTIATE_KERNEL_TEST(MatmulTest, (hal::Dim3{8, 8}), (hal::Dim3{16, 16}));

class TransposeTest : public KernelTest {};

TEST_P(TransposeTest, MatchesReference) {
  const auto [rows, columns] = ExtentOf(n());
  const auto in = RandomFloats(rows * columns, 5, -1, 1);
  std::vector<float> expected(in.size());
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) expected[j * rows + i] = in[i * columns + j];
  }
  const uint64_t empty = GetParam().empty_grid;
  const Scenario scenario = {{ToBytes(in), Bytes(in.size() * 4, 0xAA)},
                             {{"transpose",
                               "transpose",
                               {Tiles(columns, 32, empty), Tiles(rows, 32, empty)},
                               block(),
                               0,
                               {Buffer(0), Buffer(1), Value(rows), Value(columns)}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<float>(buffers[1]), ElementsAreArray(expected));
  });
}

INSTANTIATE_KERNEL_TEST(TransposeTest, (hal::Dim3{32, 8}), (hal::Dim3{32, 4}));

}  // namespace
}  // namespace thunky::kernel_tests
