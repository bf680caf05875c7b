#include "thunky/hal/host/host_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace thunky::hal {
namespace {

class NoKernels : public KernelLoader {
 public:
  std::string_view name() const override { return "none"; }
  absl::StatusOr<std::shared_ptr<const HostKernel>> Load(const KernelSource&) override {
    return absl::NotFoundError("no kernels here");
  }
};

TEST(HostDevice, AllocationsAreAlignedAndCopiesRoundTrip) {
  auto device = MakeHostDevice(std::make_unique<NoKernels>());
  for (uint64_t size : {0, 1, 255, 256, 100000}) {
    auto memory = device->Allocate(size);
    ASSERT_TRUE(memory.ok()) << memory.status();
    EXPECT_EQ((*memory)->span().size, size);
    EXPECT_EQ((*memory)->span().address % 256, 0u);
    std::vector<uint8_t> in(size, 0x5a), out(size);
    ASSERT_TRUE(device->Upload((*memory)->span(), in).ok());
    ASSERT_TRUE(device->Download(absl::MakeSpan(out), (*memory)->span()).ok());
    EXPECT_EQ(in, out);
  }
}

TEST(HostDevice, MoreMemoryThanThereIsIsRefusedWithBothNumbers) {
  auto device = MakeHostDevice(std::make_unique<NoKernels>());
  const uint64_t absurd = uint64_t{1} << 60;
  auto memory = device->Allocate(absurd);
  ASSERT_EQ(memory.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(memory.status().message()),
              testing::HasSubstr("1152921504606846976 bytes of memory are wanted"));
}

TEST(HostDevice, SizesOfCopiesMustAgree) {
  auto device = MakeHostDevice(std::make_unique<NoKernels>());
  auto memory = device->Allocate(8);
  ASSERT_TRUE(memory.ok());
  EXPECT_FALSE(device->Upload((*memory)->span(), std::vector<uint8_t>(7)).ok());
  std::vector<uint8_t> out(9);
  EXPECT_FALSE(device->Download(absl::MakeSpan(out), (*memory)->span()).ok());
}

TEST(HostDevice, ReportsItsMemory) {
  auto device = MakeHostDevice(std::make_unique<NoKernels>());
  auto info = device->memory_info();
  ASSERT_TRUE(info.ok());
  EXPECT_GT(info->free_bytes, 0u);
  EXPECT_LE(info->free_bytes, info->total_bytes);
}

TEST(MemoryMap, FindsRangesAndRefusesWrappingSizes) {
  MemoryMap map({{100, 200, true, "a"}, {300, 400, false, "b"}, {350, 450, true, "c"}});
  ASSERT_NE(map.Find(100, 100), nullptr);
  EXPECT_EQ(map.Find(100, 100)->name, "a");
  EXPECT_EQ(map.Find(100, 101), nullptr);
  EXPECT_EQ(map.Find(99, 1), nullptr);
  EXPECT_EQ(map.Find(200, 1), nullptr);
  ASSERT_NE(map.Find(300, 150), nullptr);
  EXPECT_EQ(map.Find(300, 150)->name, "b");
  EXPECT_TRUE(map.Find(300, 150)->writable);
  EXPECT_EQ(map.Find(310, UINT64_MAX - 5), nullptr);
  EXPECT_EQ(map.Nearest(210)->name, "a");
  EXPECT_EQ(map.Nearest(290)->name, "b");
  EXPECT_EQ(MemoryMap().Nearest(0), nullptr);
}

}  // namespace
}  // namespace thunky::hal
