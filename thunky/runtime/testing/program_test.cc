#include "thunky/runtime/testing/program_test.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "google/protobuf/text_format.h"
#include "thunky/base/status_macros.h"
#include "thunky/hal/host/host_device.h"

namespace thunky::runtime {
namespace {

class FunctionKernel : public hal::HostKernel {
 public:
  FunctionKernel(hal::KernelInfo info, FunctionKernels::Function function)
      : info_(std::move(info)), function_(std::move(function)) {}
  const hal::KernelInfo& info() const override { return info_; }
  absl::Status Launch(const hal::LaunchParams& params) const override {
    return function_(params);
  }

 private:
  hal::KernelInfo info_;
  FunctionKernels::Function function_;
};

}  // namespace

void FunctionKernels::Define(const std::string& entry, int parameters,
                             Function function) {
  hal::KernelInfo info;
  info.entry = entry;
  for (int i = 0; i < parameters; ++i)
    info.parameters.push_back({.size = 8, .alignment = 8});
  kernels_[entry] = std::make_shared<FunctionKernel>(info, std::move(function));
}

absl::StatusOr<std::shared_ptr<const hal::HostKernel>> FunctionKernels::Load(
    const hal::KernelSource& source) {
  auto it = kernels_.find(source.entry);
  if (it == kernels_.end()) {
    return absl::NotFoundError(absl::StrCat("no kernel '", source.entry, "'"));
  }
  return it->second;
}

int32_t& ArgumentI32(const hal::LaunchParams& params, size_t index) {
  uint64_t address;
  std::memcpy(&address, params.arguments.at(index).data(), sizeof(address));
  return *reinterpret_cast<int32_t*>(address);
}

ProgramTest::ProgramTest() {
  auto kernels = std::make_unique<FunctionKernels>();
  kernels_ = kernels.get();
  device_ = hal::MakeHostDevice(std::move(kernels));
}

wire::GpuExecutableProto ProgramTest::Program(const std::vector<int64_t>& sizes,
                                              const std::string& thunks) {
  wire::GpuExecutableProto proto;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(thunks, &proto)) << thunks;
  proto.set_module_name("test");
  wire::ShapeProto* result = proto.mutable_program_shape()->mutable_result();
  result->set_element_type(wire::TUPLE);
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t index = static_cast<int64_t>(i);
    wire::BufferAllocationProto* allocation =
        proto.mutable_buffer_allocations()->add_values();
    allocation->set_index(index);
    allocation->set_size(sizes[i]);
    allocation->set_maybe_live_out(true);
    wire::ShapeProto* leaf = result->add_tuple_shapes();
    leaf->set_element_type(wire::U8);
    leaf->add_dimensions(sizes[i]);
    leaf->mutable_layout()->add_minor_to_major(0);
    auto* entry = proto.add_output_info_map();
    entry->mutable_shape_index()->add_indexes(index);
    entry->mutable_output_info()->set_allocation_index(index);
  }
  return proto;
}

absl::StatusOr<std::unique_ptr<LoadedExecutable>> ProgramTest::Load(
    const wire::GpuExecutableProto& proto) {
  ASSIGN_OR_RETURN(auto executable, Executable::Load(proto, {}));
  return LoadedExecutable::Prepare(std::move(executable), *device_);
}

absl::Status ProgramTest::Run(const std::string& thunks,
                              std::vector<std::vector<uint8_t>>* buffers) {
  std::vector<int64_t> sizes;
  for (const auto& buffer : *buffers)
    sizes.push_back(static_cast<int64_t>(buffer.size()));
  ASSIGN_OR_RETURN(auto loaded, Load(Program(sizes, thunks)));
  std::vector<std::unique_ptr<hal::Allocation>> memory;
  RunRequest request;
  request.options = options_;
  for (const auto& buffer : *buffers) {
    ASSIGN_OR_RETURN(auto allocation, device_->Allocate(buffer.size()));
    RETURN_IF_ERROR(device_->Upload(allocation->span(), buffer));
    request.arguments.push_back(allocation->span());
    memory.push_back(std::move(allocation));
  }
  absl::Status status = loaded->Run(request);
  for (size_t i = 0; i < buffers->size(); ++i) {
    RETURN_IF_ERROR(device_->Download(absl::MakeSpan((*buffers)[i]), memory[i]->span()));
  }
  return status;
}

absl::Status ProgramTest::RunI32(const std::string& thunks,
                                 std::vector<int32_t>* values) {
  std::vector<std::vector<uint8_t>> buffers;
  for (int32_t& value : *values) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    buffers.emplace_back(bytes, bytes + sizeof(value));
  }
  absl::Status status = Run(thunks, &buffers);
  for (size_t i = 0; i < values->size(); ++i) {
    std::memcpy(&(*values)[i], buffers[i].data(), sizeof(int32_t));
  }
  return status;
}

std::string ProgramTest::KernelThunk(const std::string& entry,
                                     const std::vector<int>& allocations) {
  std::string args;
  for (int allocation : allocations) {
    absl::StrAppend(&args, "args { slice { size: 4 buffer_allocation_index: ", allocation,
                    " } shape { element_type: S32 } } written: true ");
  }
  return absl::StrCat(
      "thunks { thunk_info { profile_annotation: 'kernel.", entry,
      "' } custom_kernel_thunk { ", args, "custom_kernel { name: '", entry,
      "' kernel_spec { ptx { data: 'code' } arity: ", allocations.size(),
      " kernel_name: '", entry,
      "' } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: "
      "1 y: 1 z: 1 } } } } } ");
}

}  // namespace thunky::runtime
