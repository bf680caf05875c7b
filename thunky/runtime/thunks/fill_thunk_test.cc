#include "thunky/runtime/thunks/fill_thunk.h"

#include "absl/strings/str_format.h"
#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

using testing::ElementsAre;

class FillThunkTest : public ProgramTest {
 protected:
  static std::string Memzero(int offset, int size) {
    return absl::StrFormat(
        "thunks { memzero_thunk { dest_buffer { slice { offset: %d size: %d } shape { "
        "element_type: U8 dimensions: %d layout { minor_to_major: 0 } } } } }",
        offset, size, size);
  }
  static std::string Memset32(int offset, int size, uint32_t value) {
    return absl::StrFormat(
        "thunks { memset32bit_value_thunk { dest_buffer { offset: %d size: %d } value: "
        "%u } }",
        offset, size, value);
  }
};

TEST_F(FillThunkTest, MemzeroTakesAnySize) {
  std::vector<std::vector<uint8_t>> buffers = {{1, 2, 3, 4, 5}};
  ASSERT_EQ(Run(Memzero(1, 3), &buffers), absl::OkStatus());
  EXPECT_THAT(buffers[0], ElementsAre(1, 0, 0, 0, 5));
}

TEST_F(FillThunkTest, MemsetStoresThePattern) {
  std::vector<std::vector<uint8_t>> buffers = {std::vector<uint8_t>(12, 9)};
  ASSERT_EQ(Run(Memset32(4, 8, 0x04030201), &buffers), absl::OkStatus());
  EXPECT_THAT(buffers[0], ElementsAre(9, 9, 9, 9, 1, 2, 3, 4, 1, 2, 3, 4));
}

TEST_F(FillThunkTest, ZeroBytesAreLegal) {
  std::vector<std::vector<uint8_t>> buffers = {{1, 2, 3, 4}};
  ASSERT_EQ(Run(Memzero(0, 0) + Memset32(4, 0, 5), &buffers), absl::OkStatus());
  EXPECT_THAT(buffers[0], ElementsAre(1, 2, 3, 4));
}

TEST_F(FillThunkTest, MemsetOfHalfAWordIsRefusedAtLoad) {
  std::vector<std::vector<uint8_t>> buffers = {std::vector<uint8_t>(8)};
  EXPECT_EQ(Run(Memset32(0, 6, 1), &buffers).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Run(Memset32(2, 4, 1), &buffers).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace thunky::runtime
