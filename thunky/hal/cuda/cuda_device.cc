#include "thunky/hal/cuda/cuda_device.h"

#include <array>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/hal/cuda/context.h"
#include "thunky/hal/cuda/cuda_graph.h"
#include "thunky/hal/cuda/cuda_kernel.h"
#include "thunky/hal/cuda/cuda_status.h"
#include "thunky/hal/cuda/stream_recorder.h"

namespace thunky::hal {
namespace {

using cuda::Context;

class CudaAllocation : public Allocation {
 public:
  CudaAllocation(std::shared_ptr<Context> context, CUdeviceptr address, uint64_t size)
      : context_(std::move(context)), address_(address), size_(size) {}
  ~CudaAllocation() override {
    if (address_ != 0 && context_->MakeCurrent().ok()) {
      context_->api().cuMemFree(address_);
    }
  }
  CudaAllocation(const CudaAllocation&) = delete;
  CudaAllocation& operator=(const CudaAllocation&) = delete;

  DeviceSpan span() const override { return {address_, size_}; }

 private:
  std::shared_ptr<Context> context_;
  CUdeviceptr address_;
  uint64_t size_;
};

// What a device is, read once.
struct Properties {
  std::string model;
  int major = 0;
  int minor = 0;
  int processors = 0;
  int driver = 0;
  LaunchLimits limits;
};

absl::StatusOr<Properties> PropertiesOf(Context& context) {
  const cuda::DriverApi& api = context.api();
  Properties properties;
  std::array<char, 256> model{};
  RETURN_IF_ERROR(context.Check(
      api.cuDeviceGetName(model.data(), static_cast<int>(model.size()), context.device()),
      "asking for the name"));
  properties.model = model.data();
  absl::Status status;
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    const absl::Status got =
        context.Check(api.cuDeviceGetAttribute(&value, which, context.device()),
                      "asking for an attribute");
    if (status.ok()) status = got;
    return value;
  };
  const auto limit = [&](CUdevice_attribute which) {
    return static_cast<uint64_t>(attribute(which));
  };
  properties.major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  properties.minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  properties.processors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  properties.limits.max_threads_per_block =
      limit(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  properties.limits.max_block = {limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                                 limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                                 limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)};
  properties.limits.max_grid = {limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                                limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                                limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)};
  properties.limits.max_shared_bytes =
      limit(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(context.Check(api.cuDriverGetVersion(&properties.driver),
                                "asking for the driver's version"));
  return properties;
}

class CudaDevice : public Device {
 public:
  CudaDevice(std::shared_ptr<Context> context, Properties properties)
      : context_(std::move(context)),
        properties_(std::move(properties)),
        kernels_(context_, absl::StrCat(properties_.major, properties_.minor),
                 properties_.limits.max_shared_bytes),
        resources_(context_) {}

  std::string_view name() const override { return context_->name(); }

  std::string description() const override {
    return absl::StrCat(properties_.model, ", ", properties_.processors,
                        " multiprocessors, compute capability ", properties_.major, ".",
                        properties_.minor, "; driver for CUDA ",
                        properties_.driver / 1000, ".", properties_.driver % 1000 / 10);
  }

  const LaunchLimits& limits() const override { return properties_.limits; }

  absl::StatusOr<MemoryInfo> memory_info() const override {
    RETURN_IF_ERROR(context_->MakeCurrent());
    size_t free = 0;
    size_t total = 0;
    RETURN_IF_ERROR(context_->Check(context_->api().cuMemGetInfo(&free, &total),
                                    "asking for free memory"));
    return MemoryInfo{.free_bytes = free, .total_bytes = total};
  }

  absl::StatusOr<std::unique_ptr<Allocation>> Allocate(uint64_t size) override {
    RETURN_IF_ERROR(context_->lost());
    RETURN_IF_ERROR(context_->MakeCurrent());
    CUdeviceptr address = 0;
    if (size != 0) {
      const CUresult result = context_->api().cuMemAlloc(&address, size);
      if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        ASSIGN_OR_RETURN(const MemoryInfo memory, memory_info());
        return absl::ResourceExhaustedError(absl::StrCat(context_->name(), ": ", size,
                                                         " bytes of memory are wanted, ",
                                                         memory.free_bytes, " are free"));
      }
      RETURN_IF_ERROR(
          context_->Check(result, absl::StrCat("allocating ", size, " bytes")));
    }
    return std::make_unique<CudaAllocation>(context_, address, size);
  }

  absl::Status Upload(DeviceSpan dst, absl::Span<const uint8_t> src) override {
    if (dst.size != src.size()) return SizeMismatch("upload", dst.size, src.size());
    return Transfer(
        [&](CUstream stream) {
          return context_->api().cuMemcpyHtoDAsync(dst.address, src.data(), src.size(),
                                                   stream);
        },
        src.size(), "an upload");
  }

  absl::Status Download(absl::Span<uint8_t> dst, DeviceSpan src) override {
    if (dst.size() != src.size) return SizeMismatch("download", dst.size(), src.size);
    return Transfer(
        [&](CUstream stream) {
          return context_->api().cuMemcpyDtoHAsync(dst.data(), src.address, src.size,
                                                   stream);
        },
        src.size, "a download");
  }

  bool needs_ptx() const override { return false; }

  absl::StatusOr<std::shared_ptr<const Kernel>> LoadKernel(
      const KernelSource& source) override {
    return kernels_.Load(source);
  }

  absl::StatusOr<std::unique_ptr<Recorder>> NewRecorder(
      const RunOptions& options) override {
    if (options.strict_bounds || options.checks.races || options.checks.uninitialized ||
        options.checks.barrier_divergence) {
      return absl::UnimplementedError(
          absl::StrCat(context_->name(),
                       ": checked runs are for the host; compute-sanitizer checks "
                       "those of a GPU"));
    }
    return cuda::MakeStreamRecorder(resources_, options);
  }

  bool has_graphs() const override { return true; }

  absl::StatusOr<std::unique_ptr<GraphInstance>> Instantiate(
      const GraphPlan& plan) override {
    RETURN_IF_ERROR(context_->lost());
    RETURN_IF_ERROR(context_->MakeCurrent());
    {
      const std::lock_guard<std::mutex> lock(setters_mutex_);
      if (setters_.loop == nullptr) {
        ASSIGN_OR_RETURN(setters_, cuda::GraphSetters::Load(kernels_, properties_.major));
      }
    }
    return cuda::MakeCudaGraph(context_, resources_, setters_, plan);
  }

 private:
  absl::Status SizeMismatch(const char* what, uint64_t dst, uint64_t src) const {
    return absl::InvalidArgumentError(absl::StrCat(context_->name(), ": ", what, " of ",
                                                   src, " bytes to a destination of ",
                                                   dst, " bytes"));
  }

  // One copy, and the wait for it.
  template <typename Enqueue>
  absl::Status Transfer(Enqueue enqueue, uint64_t size, const char* what) {
    if (size == 0) return absl::OkStatus();
    RETURN_IF_ERROR(context_->lost());
    RETURN_IF_ERROR(context_->MakeCurrent());
    ASSIGN_OR_RETURN(CUstream stream, context_->TakeStream());
    absl::Status status = context_->Check(enqueue(stream), what);
    if (status.ok()) {
      status = context_->Check(context_->api().cuStreamSynchronize(stream), what);
    }
    context_->ReturnStream(stream);
    return status;
  }

  std::shared_ptr<Context> context_;
  const Properties properties_;
  cuda::KernelCache kernels_;
  cuda::RunResourcePool resources_;
  std::mutex setters_mutex_;
  cuda::GraphSetters setters_;  // loaded for the first graph
};

}  // namespace

absl::StatusOr<int> CountCudaDevices() {
  ASSIGN_OR_RETURN(const cuda::DriverApi* api, cuda::DriverApi::Load());
  int count = 0;
  RETURN_IF_ERROR(cuda::CudaStatus(*api, api->cuDeviceGetCount(&count), "counting GPUs"));
  return count;
}

absl::StatusOr<std::unique_ptr<Device>> MakeCudaDevice(int index) {
  ASSIGN_OR_RETURN(std::shared_ptr<Context> context, Context::Open(index));
  RETURN_IF_ERROR(context->MakeCurrent());
  ASSIGN_OR_RETURN(Properties properties, PropertiesOf(*context));
  return std::make_unique<CudaDevice>(std::move(context), std::move(properties));
}

}  // namespace thunky::hal
