#include "thunky/hal/cuda/cuda_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace thunky::hal {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

// These run on any machine: what is not there must be said, and what is there must work.
TEST(CudaDeviceTest, SaysWhyThereIsNone) {
  const absl::StatusOr<int> count = CountCudaDevices();
  if (count.ok()) {
    EXPECT_GE(*count, 0);
  } else {
    EXPECT_THAT(std::string(count.status().message()),
                AnyOf(HasSubstr("no CUDA device layer"), HasSubstr("no CUDA driver"),
                      HasSubstr("does not start")));
  }
}

TEST(CudaDeviceTest, NumbersBeyondTheLastAreRefused) {
  const absl::StatusOr<int> count = CountCudaDevices();
  const auto device = MakeCudaDevice(count.ok() ? *count : 0);
  ASSERT_FALSE(device.ok());
  if (count.ok()) {
    EXPECT_THAT(std::string(device.status().message()),
                HasSubstr("GPUs, counted from 0"));
  } else {
    EXPECT_EQ(device.status(), count.status());
  }
  EXPECT_FALSE(MakeCudaDevice(-1).ok());
}

TEST(CudaDeviceTest, KeepsWhatIsPutThere) {
  const absl::StatusOr<int> count = CountCudaDevices();
  if (!count.ok() || *count == 0) GTEST_SKIP() << "there is no GPU";
  const auto device = MakeCudaDevice(0);
  ASSERT_TRUE(device.ok()) << device.status();
  const auto memory = (*device)->Allocate(1000);
  ASSERT_TRUE(memory.ok()) << memory.status();
  EXPECT_EQ((*memory)->span().address % 256, 0u);
  std::vector<uint8_t> bytes(1000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 7);
  ASSERT_TRUE((*device)->Upload((*memory)->span(), bytes).ok());
  const RunOptions options;
  auto recorder = (*device)->NewRecorder(options);
  ASSERT_TRUE(recorder.ok()) << recorder.status();
  const DeviceSpan span = (*memory)->span();
  ASSERT_TRUE((*recorder)->Fill(span.Slice(0, 4), 0x01020304).ok());
  ASSERT_TRUE((*recorder)->Copy(span.Slice(500, 8), span.Slice(0, 8)).ok());
  ASSERT_TRUE((*recorder)->Finish().ok());
  std::vector<uint8_t> back(1000);
  ASSERT_TRUE((*device)->Download(absl::MakeSpan(back), span).ok());
  bytes[0] = 4, bytes[1] = 3, bytes[2] = 2, bytes[3] = 1;
  std::copy_n(bytes.begin(), 8, bytes.begin() + 500);
  EXPECT_EQ(back, bytes);
}

}  // namespace
}  // namespace thunky::hal
