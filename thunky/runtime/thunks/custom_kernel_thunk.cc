#include "thunky/runtime/thunks/custom_kernel_thunk.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/runtime/kernel_table.h"
#include "thunky/schema/access.h"

namespace thunky::runtime {
namespace {

constexpr uint64_t kPointerSize = 8;

// One kernel parameter: the address of a buffer, or constant bytes.
struct PackedParameter {
  int buffer = -1;  // index into the thunk's buffers; -1: `bytes`
  std::vector<uint8_t> bytes;

  uint64_t size() const { return buffer >= 0 ? kPointerSize : bytes.size(); }
};

struct Buffer {
  schema::Slice slice;
  bool written = false;
  bool zeroed = false;  // filled with zeros before each launch
};

struct Launch {
  uint32_t kernel = 0;
  hal::Dim3 grid;
  hal::Dim3 block;
  uint64_t dynamic_shared_bytes = 0;
  bool programmatic = false;
  std::vector<Buffer> buffers;
  std::vector<PackedParameter> parameters;

  std::vector<uint64_t> ParameterSizes() const {
    std::vector<uint64_t> sizes;
    sizes.reserve(parameters.size());
    for (const PackedParameter& parameter : parameters) sizes.push_back(parameter.size());
    return sizes;
  }
};

class CustomKernelThunk : public Thunk {
 public:
  CustomKernelThunk(ThunkInfo info, Launch launch)
      : Thunk(std::move(info)), launch_(std::move(launch)) {}

  absl::Status Prepare(const PrepareContext& context) const override {
    return hal::CheckKernelLaunch(
        context.device.limits(), context.kernels[launch_.kernel]->info(), launch_.grid,
        launch_.block, launch_.dynamic_shared_bytes, launch_.ParameterSizes());
  }

  absl::Status Record(const RecordContext& context,
                      hal::Recorder& recorder) const override {
    hal::LaunchCommand command;
    command.kernel = context.kernels[launch_.kernel];
    command.grid = launch_.grid;
    command.block = launch_.block;
    command.dynamic_shared_bytes = launch_.dynamic_shared_bytes;
    command.programmatic = launch_.programmatic;
    command.accesses.reserve(launch_.buffers.size());
    for (size_t i = 0; i < launch_.buffers.size(); ++i) {
      const Buffer& buffer = launch_.buffers[i];
      const hal::DeviceSpan span = context.buffers.Resolve(buffer.slice);
      if (buffer.zeroed) RETURN_IF_ERROR(recorder.Fill(span, 0));
      command.accesses.push_back({.begin = span.address,
                                  .end = span.address + span.size,
                                  .writable = buffer.written,
                                  .name = absl::StrCat("kernel argument ", i)});
    }
    command.arguments.reserve(launch_.parameters.size());
    for (const PackedParameter& parameter : launch_.parameters) {
      std::vector<uint8_t> bytes = parameter.bytes;
      if (parameter.buffer >= 0) {
        const uint64_t address =
            command.accesses[static_cast<size_t>(parameter.buffer)].begin;
        bytes.resize(kPointerSize);
        std::memcpy(bytes.data(), &address, kPointerSize);
      }
      command.arguments.push_back(std::move(bytes));
    }
    return recorder.Launch(command);
  }

 private:
  Launch launch_;
};

hal::Dim3 DimsOf(const wire::Dim3DProto& dims) {
  return {static_cast<uint64_t>(dims.x()), static_cast<uint64_t>(dims.y()),
          static_cast<uint64_t>(dims.z())};
}

std::vector<PackedParameter> ParametersOf(const wire::KernelLoaderSpecProto& spec,
                                          size_t buffer_count) {
  std::vector<PackedParameter> parameters;
  if (!spec.has_kernel_args_packing_spec()) {
    for (size_t i = 0; i < buffer_count; ++i) {
      parameters.push_back({.buffer = static_cast<int>(i), .bytes = {}});
    }
    return parameters;
  }
  for (const auto& argument : spec.kernel_args_packing_spec().kernel_arguments()) {
    PackedParameter parameter;
    if (argument.relocations_size() > 0) {
      parameter.buffer = argument.relocations(0).argument_index();
    } else {
      parameter.bytes.assign(argument.data().begin(), argument.data().end());
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

// What a launch on a machine without clusters or tensor maps cannot do.
const char* UnsupportedFeature(const wire::CustomKernelThunkProto& thunk) {
  const wire::CustomKernelProto& kernel = thunk.custom_kernel();
  if (kernel.has_cluster_dim() &&
      DimsOf(kernel.cluster_dim().coordinates()).count() > 1) {
    return "a launch with thread-block clusters";
  }
  if (thunk.tma_metadata().arg_index_to_tma_info_size() > 0) {
    return "a kernel argument that is a TMA descriptor";
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> DecodeCustomKernel(const wire::ThunkProto& proto,
                                                          ThunkInfo info,
                                                          Decoder& decoder) {
  const wire::CustomKernelThunkProto& thunk = proto.custom_kernel_thunk();
  const wire::CustomKernelProto& kernel = thunk.custom_kernel();
  info.name = kernel.kernel_spec().kernel_name();
  if (const char* feature = UnsupportedFeature(thunk)) {
    decoder.ReportMissing(info, absl::StrCat("kernel '", info.name, "': ", feature));
    return nullptr;
  }
  Launch launch;
  launch.grid = DimsOf(kernel.block_dims().coordinates());
  launch.block = DimsOf(kernel.thread_dims().coordinates());
  launch.dynamic_shared_bytes = static_cast<uint64_t>(kernel.shared_memory_bytes());
  launch.programmatic = thunk.use_pdl();
  for (int i = 0; i < thunk.args_size(); ++i) {
    launch.buffers.push_back(
        {.slice = schema::SliceOf(thunk.args(i).slice()), .written = thunk.written(i)});
  }
  for (int64_t index : thunk.zeroed_output_buffer_indices()) {
    launch.buffers[static_cast<size_t>(index)].zeroed = true;
  }
  launch.parameters = ParametersOf(kernel.kernel_spec(), launch.buffers.size());
  KernelUse use{.path = info.path,
                .block = launch.block,
                .argument_sizes = launch.ParameterSizes()};
  ASSIGN_OR_RETURN(launch.kernel, decoder.kernels().Add(kernel.kernel_spec(), use));
  return std::make_unique<CustomKernelThunk>(std::move(info), std::move(launch));
}

}  // namespace thunky::runtime
