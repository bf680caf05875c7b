#include "thunky/runtime/thunks/device_id_thunk.h"

#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

class DeviceIdThunkTest : public ProgramTest {};

TEST_F(DeviceIdThunkTest, WritesThePositionOfTheRun) {
  auto loaded = Load(Program(
      {4, 4},
      "thunks { replica_id_thunk { dest_buffer { size: 4 } } }"
      "thunks { partition_id_thunk { dest_buffer { size: 4 buffer_allocation_index: 1 } "
      "} }"));
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  auto memory = device_->Allocate(512);
  ASSERT_TRUE(memory.ok());
  RunRequest request;
  request.arguments = {(*memory)->span().Slice(0, 4), (*memory)->span().Slice(256, 4)};
  request.replica_id = 5;
  request.partition_id = 3;
  ASSERT_EQ((*loaded)->Run(request), absl::OkStatus());
  std::vector<uint8_t> bytes(4);
  ASSERT_TRUE(device_->Download(absl::MakeSpan(bytes), request.arguments[0]).ok());
  EXPECT_THAT(bytes, testing::ElementsAre(5, 0, 0, 0));
  ASSERT_TRUE(device_->Download(absl::MakeSpan(bytes), request.arguments[1]).ok());
  EXPECT_THAT(bytes, testing::ElementsAre(3, 0, 0, 0));
}

TEST_F(DeviceIdThunkTest, ADestinationThatIsNoU32IsRefusedAtLoad) {
  std::vector<std::vector<uint8_t>> buffers = {std::vector<uint8_t>(8)};
  EXPECT_EQ(
      Run("thunks { partition_id_thunk { dest_buffer { size: 8 } } }", &buffers).code(),
      absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace thunky::runtime
