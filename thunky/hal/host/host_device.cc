#include "thunky/hal/host/host_device.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/hal/host/host_recorder.h"

namespace thunky::hal {
namespace {

// What GPUs give: every allocation starts at a multiple of this.
constexpr size_t kAlignment = 256;

class HostAllocation : public Allocation {
 public:
  HostAllocation(void* data, uint64_t size) : data_(data), size_(size) {}
  ~HostAllocation() override { ::operator delete(data_, std::align_val_t(kAlignment)); }
  HostAllocation(const HostAllocation&) = delete;
  HostAllocation& operator=(const HostAllocation&) = delete;

  DeviceSpan span() const override { return {reinterpret_cast<uint64_t>(data_), size_}; }

 private:
  void* data_;
  uint64_t size_;
};

// `MemAvailable` counts what the kernel can reclaim; sysconf's free pages do not.
uint64_t AvailableBytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  uint64_t kib = 0;
  std::string unit;
  while (meminfo >> key >> kib >> unit) {
    if (key == "MemAvailable:") return kib * 1024;
  }
  return static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

class HostDevice : public Device {
 public:
  explicit HostDevice(std::unique_ptr<KernelLoader> loader)
      : loader_(std::move(loader)) {}

  std::string_view name() const override { return "host"; }

  std::string description() const override {
    return absl::StrCat("CPU, ", std::thread::hardware_concurrency(),
                        " threads; kernels run by ", std::string(loader_->name()));
  }

  const LaunchLimits& limits() const override { return limits_; }

  absl::StatusOr<MemoryInfo> memory_info() const override {
    return MemoryInfo{.free_bytes = AvailableBytes(),
                      .total_bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                                     static_cast<uint64_t>(sysconf(_SC_PAGESIZE))};
  }

  absl::StatusOr<std::unique_ptr<Allocation>> Allocate(uint64_t size) override {
    // The check costs a file read; small blocks cannot be what breaks the bank.
    if (size > (uint64_t{1} << 20)) {
      if (const uint64_t free = AvailableBytes(); size > free) {
        return absl::ResourceExhaustedError(absl::StrCat(
            "host: ", size, " bytes of memory are wanted, ", free, " are free"));
      }
    }
    void* data = ::operator new(size, std::align_val_t(kAlignment), std::nothrow);
    if (data == nullptr) {
      return absl::ResourceExhaustedError(
          absl::StrCat("host: cannot allocate ", size, " bytes"));
    }
    return std::make_unique<HostAllocation>(data, size);
  }

  absl::Status Upload(DeviceSpan dst, absl::Span<const uint8_t> src) override {
    if (dst.size != src.size()) return SizeMismatch("upload", dst.size, src.size());
    if (!src.empty()) {
      std::memcpy(reinterpret_cast<void*>(dst.address), src.data(), src.size());
    }
    return absl::OkStatus();
  }

  absl::Status Download(absl::Span<uint8_t> dst, DeviceSpan src) override {
    if (dst.size() != src.size) return SizeMismatch("download", dst.size(), src.size);
    if (!dst.empty()) {
      std::memcpy(dst.data(), reinterpret_cast<const void*>(src.address), src.size);
    }
    return absl::OkStatus();
  }

  bool needs_ptx() const override { return true; }

  absl::StatusOr<std::shared_ptr<const Kernel>> LoadKernel(
      const KernelSource& source) override {
    auto kernel = loader_->Load(source);
    if (!kernel.ok()) return kernel.status();
    return std::shared_ptr<const Kernel>(*std::move(kernel));
  }

  absl::StatusOr<std::unique_ptr<Recorder>> NewRecorder(
      const RunOptions& options) override {
    return MakeHostRecorder(options);
  }

 private:
  static absl::Status SizeMismatch(const char* what, uint64_t dst, uint64_t src) {
    return absl::InvalidArgumentError(absl::StrCat(
        "host: ", what, " of ", src, " bytes to a destination of ", dst, " bytes"));
  }

  std::unique_ptr<KernelLoader> loader_;
  LaunchLimits limits_;
};

}  // namespace

std::unique_ptr<Device> MakeHostDevice(std::unique_ptr<KernelLoader> loader) {
  return std::make_unique<HostDevice>(std::move(loader));
}

}  // namespace thunky::hal
