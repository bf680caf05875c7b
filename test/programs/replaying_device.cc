#include "test/programs/replaying_device.h"

#include <utility>

#include "thunky/base/status_macros.h"
#include "thunky/hal/graph_plan.h"

namespace thunky::program_tests {
namespace {

class ReplayedGraph : public hal::GraphInstance {
 public:
  ReplayedGraph(hal::Device& device, const hal::GraphPlan& plan)
      : device_(device), plan_(plan) {}

  absl::Status Run(const hal::RunOptions& options) override {
    ASSIGN_OR_RETURN(auto recorder, device_.NewRecorder(options));
    RETURN_IF_ERROR(hal::Replay(plan_, *recorder));
    return recorder->Finish();
  }

  absl::StatusOr<int64_t> Update(const hal::GraphPlan& plan) override {
    if (plan.CountNodes() != plan_.CountNodes()) {
      return absl::FailedPreconditionError("the plan has other nodes");
    }
    plan_ = plan;
    return plan_.CountNodes();
  }

 private:
  hal::Device& device_;
  hal::GraphPlan plan_;
};

class ReplayingDevice : public hal::Device {
 public:
  explicit ReplayingDevice(std::unique_ptr<hal::Device> device)
      : device_(std::move(device)) {}

  std::string_view name() const override { return device_->name(); }
  std::string description() const override { return device_->description(); }
  const hal::LaunchLimits& limits() const override { return device_->limits(); }
  absl::StatusOr<hal::MemoryInfo> memory_info() const override {
    return device_->memory_info();
  }
  absl::StatusOr<std::unique_ptr<hal::Allocation>> Allocate(uint64_t size) override {
    return device_->Allocate(size);
  }
  absl::Status Upload(hal::DeviceSpan dst, absl::Span<const uint8_t> src) override {
    return device_->Upload(dst, src);
  }
  absl::Status Download(absl::Span<uint8_t> dst, hal::DeviceSpan src) override {
    return device_->Download(dst, src);
  }
  bool needs_ptx() const override { return device_->needs_ptx(); }
  absl::StatusOr<std::shared_ptr<const hal::Kernel>> LoadKernel(
      const hal::KernelSource& source) override {
    return device_->LoadKernel(source);
  }
  absl::StatusOr<std::unique_ptr<hal::Recorder>> NewRecorder(
      const hal::RunOptions& options) override {
    return device_->NewRecorder(options);
  }
  bool has_graphs() const override { return true; }
  absl::StatusOr<std::unique_ptr<hal::GraphInstance>> Instantiate(
      const hal::GraphPlan& plan) override {
    return std::make_unique<ReplayedGraph>(*device_, plan);
  }

 private:
  std::unique_ptr<hal::Device> device_;
};

}  // namespace

std::unique_ptr<hal::Device> MakeReplayingDevice(std::unique_ptr<hal::Device> device) {
  return std::make_unique<ReplayingDevice>(std::move(device));
}

}  // namespace thunky::program_tests
