#include "thunky/runtime/thunks/copy_thunk.h"

#include "absl/strings/str_format.h"
#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

class CopyThunkTest : public ProgramTest {
 protected:
  static std::string Copy(int offset, int size) {
    return absl::StrFormat(
        "thunks { device_to_device_copy_thunk { copy_thunk { mem_size: %d "
        "source_buffer { slice { offset: %d size: %d buffer_allocation_index: 0 } "
        "shape { element_type: U8 dimensions: %d layout { minor_to_major: 0 } } } "
        "destination_buffer { slice { size: %d buffer_allocation_index: 1 } "
        "shape { element_type: U8 dimensions: %d layout { minor_to_major: 0 } } } } } }",
        size, offset, size, size, size, size);
  }
};

TEST_F(CopyThunkTest, CopiesTheSlice) {
  std::vector<std::vector<uint8_t>> buffers = {{1, 2, 3, 4, 5}, {0, 0, 9}};
  ASSERT_EQ(Run(Copy(1, 2), &buffers), absl::OkStatus());
  EXPECT_THAT(buffers[1], testing::ElementsAre(2, 3, 9));
  EXPECT_THAT(buffers[0], testing::ElementsAre(1, 2, 3, 4, 5));
}

TEST_F(CopyThunkTest, ZeroBytesAreLegal) {
  std::vector<std::vector<uint8_t>> buffers = {{1}, {7}};
  ASSERT_EQ(Run(Copy(0, 0), &buffers), absl::OkStatus());
  EXPECT_THAT(buffers[1], testing::ElementsAre(7));
}

TEST_F(CopyThunkTest, ASliceOutsideItsAllocationIsRefusedAtLoad) {
  std::vector<std::vector<uint8_t>> buffers = {{1, 2}, {0, 0}};
  absl::Status status = Run(Copy(1, 2), &buffers);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("thunks[0]"));
  EXPECT_THAT(buffers[1], testing::ElementsAre(0, 0));
}

}  // namespace
}  // namespace thunky::runtime
