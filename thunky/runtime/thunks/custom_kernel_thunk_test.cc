#include "thunky/runtime/thunks/custom_kernel_thunk.h"

#include "google/protobuf/text_format.h"
#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CustomKernelThunkTest : public ProgramTest {
 protected:
  // A one-kernel program whose thunk a test may change.
  wire::GpuExecutableProto OneKernel(const std::vector<int>& allocations) {
    std::vector<int64_t> sizes(4, 4);
    return Program(sizes, KernelThunk("kernel", allocations));
  }
  static wire::CustomKernelThunkProto& Thunk(wire::GpuExecutableProto& proto) {
    return *proto.mutable_thunks(0)->mutable_custom_kernel_thunk();
  }

  absl::Status RunOn(const wire::GpuExecutableProto& proto,
                     std::vector<std::vector<uint8_t>>* buffers) {
    auto loaded = Load(proto);
    if (!loaded.ok()) return loaded.status();
    RunRequest request;
    request.options = options_;
    std::vector<std::unique_ptr<hal::Allocation>> memory;
    for (const auto& buffer : *buffers) {
      memory.push_back(*device_->Allocate(buffer.size()));
      request.arguments.push_back(memory.back()->span());
      EXPECT_TRUE(device_->Upload(memory.back()->span(), buffer).ok());
    }
    absl::Status status = (*loaded)->Run(request);
    for (size_t i = 0; i < buffers->size(); ++i) {
      EXPECT_TRUE(
          device_->Download(absl::MakeSpan((*buffers)[i]), memory[i]->span()).ok());
    }
    return status;
  }

  std::vector<std::vector<uint8_t>> buffers_{4, std::vector<uint8_t>(4, 1)};
};

TEST_F(CustomKernelThunkTest, PassesBuffersInOrderAndTheLaunchShape) {
  hal::LaunchParams seen;
  kernels_->Define("kernel", 3, [&](const hal::LaunchParams& params) {
    seen = params;
    ArgumentI32(params, 0) = 10;
    ArgumentI32(params, 1) = 11;
    ArgumentI32(params, 2) = 12;
    return absl::OkStatus();
  });
  auto proto = OneKernel({2, 0, 3});
  auto* kernel = Thunk(proto).mutable_custom_kernel();
  kernel->mutable_block_dims()->mutable_coordinates()->set_y(7);
  kernel->mutable_thread_dims()->mutable_coordinates()->set_x(96);
  kernel->set_shared_memory_bytes(1000);
  ASSERT_EQ(RunOn(proto, &buffers_), absl::OkStatus());
  EXPECT_EQ(buffers_[2][0], 10);
  EXPECT_EQ(buffers_[0][0], 11);
  EXPECT_EQ(buffers_[3][0], 12);
  EXPECT_EQ(buffers_[1][0], 1);
  EXPECT_EQ(seen.grid.y, 7u);
  EXPECT_EQ(seen.block.x, 96u);
  EXPECT_EQ(seen.dynamic_shared_bytes, 1000u);
}

TEST_F(CustomKernelThunkTest, APackingSpecGivesOrderAndConstants) {
  kernels_->Define("kernel", 3, [&](const hal::LaunchParams& params) {
    int64_t constant;
    std::memcpy(&constant, params.arguments[1].data(), 8);
    ArgumentI32(params, 0) = static_cast<int32_t>(constant);
    ArgumentI32(params, 2) = 5;
    return absl::OkStatus();
  });
  auto proto = OneKernel({0, 1});
  auto* spec = Thunk(proto).mutable_custom_kernel()->mutable_kernel_spec();
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "kernel_arguments { relocations { kind: KIND_BITS64_ABSOLUTE argument_index: 1 } } "
      "kernel_arguments { data: '\\052\\000\\000\\000\\000\\000\\000\\000' } "
      "kernel_arguments { relocations { kind: KIND_BITS64_ABSOLUTE } }",
      spec->mutable_kernel_args_packing_spec()));
  spec->set_arity(3);
  ASSERT_EQ(RunOn(proto, &buffers_), absl::OkStatus());
  EXPECT_EQ(buffers_[1][0], 42);
  EXPECT_EQ(buffers_[0][0], 5);
}

TEST_F(CustomKernelThunkTest, ZeroedOutputsAreZeroBeforeEveryLaunch) {
  kernels_->Define("kernel", 2, [&](const hal::LaunchParams& params) {
    ArgumentI32(params, 0) += 1;
    ArgumentI32(params, 1) += 1;
    return absl::OkStatus();
  });
  auto proto = OneKernel({0, 1});
  Thunk(proto).add_zeroed_output_buffer_indices(1);
  ASSERT_EQ(RunOn(proto, &buffers_), absl::OkStatus());
  EXPECT_THAT(buffers_[0], ElementsAre(2, 1, 1, 1));
  EXPECT_THAT(buffers_[1], ElementsAre(1, 0, 0, 0));
}

TEST_F(CustomKernelThunkTest, TheCheckedModeGetsTheSlicesAndWhatIsWritten) {
  bool checked = false;
  kernels_->Define("kernel", 2, [&](const hal::LaunchParams& params) {
    uint64_t first, second;
    std::memcpy(&first, params.arguments[0].data(), 8);
    std::memcpy(&second, params.arguments[1].data(), 8);
    const hal::MemoryRange* range = params.memory->Find(first, 4);
    checked = range != nullptr && !range->writable &&
              range->name == "kernel argument 0" &&
              params.memory->Find(second, 4)->writable &&
              params.memory->Find(first, 5) == nullptr;
    return absl::OkStatus();
  });
  auto proto = OneKernel({0, 1});
  Thunk(proto).set_written(0, false);
  options_.strict_bounds = true;
  ASSERT_EQ(RunOn(proto, &buffers_), absl::OkStatus());
  EXPECT_TRUE(checked);
}

TEST_F(CustomKernelThunkTest, ARunSeesAllItsBuffersAndNothingElse) {
  bool checked = false;
  kernels_->Define("kernel", 1, [&](const hal::LaunchParams& params) {
    checked = params.memory->ranges().size() == 4;
    return absl::OkStatus();
  });
  ASSERT_EQ(RunOn(OneKernel({0}), &buffers_), absl::OkStatus());
  EXPECT_TRUE(checked);
}

TEST_F(CustomKernelThunkTest, TheNumberOfParametersIsCheckedBeforeTheFirstRun) {
  kernels_->Define("kernel", 3,
                   [](const hal::LaunchParams&) { return absl::OkStatus(); });
  auto loaded = Load(OneKernel({0, 1}));
  ASSERT_EQ(loaded.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(loaded.status().message()),
            "program 'test' on host: thunks[0] (custom_kernel 'kernel') at "
            "kernel.kernel: kernel 'kernel' takes 3 parameters, 2 are given");
}

TEST_F(CustomKernelThunkTest, LimitsAreCheckedBeforeTheFirstRun) {
  kernels_->Define("kernel", 1,
                   [](const hal::LaunchParams&) { return absl::OkStatus(); });
  auto refused = [&](const std::function<void(wire::CustomKernelProto&)>& change) {
    auto proto = OneKernel({0});
    change(*Thunk(proto).mutable_custom_kernel());
    absl::Status status = Load(proto).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(refused([](auto& k) {
                k.mutable_thread_dims()->mutable_coordinates()->set_x(2048);
              }),
              HasSubstr("1024"));
  EXPECT_THAT(refused([](auto& k) {
                k.mutable_block_dims()->mutable_coordinates()->set_y(70000);
              }),
              HasSubstr("65535"));
  EXPECT_THAT(refused([](auto& k) { k.set_shared_memory_bytes(int64_t{1} << 40); }),
              HasSubstr("232448"));
}

TEST_F(CustomKernelThunkTest, AGridOfZeroBlocksIsRefusedAtLoad) {
  kernels_->Define("kernel", 1,
                   [](const hal::LaunchParams&) { return absl::OkStatus(); });
  auto proto = OneKernel({0});
  Thunk(proto)
      .mutable_custom_kernel()
      ->mutable_block_dims()
      ->mutable_coordinates()
      ->set_x(0);
  EXPECT_THAT(std::string(Load(proto).status().message()),
              HasSubstr("thunks[0]: grid x is 0"));
}

TEST_F(CustomKernelThunkTest, ACubinWithoutPtxSaysHowToGetPtx) {
  auto proto = OneKernel({0});
  Thunk(proto).mutable_custom_kernel()->mutable_kernel_spec()->mutable_cubin()->set_data(
      "binary");
  absl::Status status = Load(proto).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("kernel 'kernel' of thunks[0]"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("--kernels"));
}

TEST_F(CustomKernelThunkTest, AKernelInsideXlaIsNamed) {
  auto proto = OneKernel({0});
  Thunk(proto)
      .mutable_custom_kernel()
      ->mutable_kernel_spec()
      ->mutable_in_process_symbol()
      ->set_persistent_name("topk_f32");
  absl::Status status = Load(proto).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("'topk_f32'"));
}

TEST_F(CustomKernelThunkTest, ClustersAndTensorMapsAreNamed) {
  auto clusters = OneKernel({0});
  auto* dims = Thunk(clusters).mutable_custom_kernel()->mutable_cluster_dim();
  dims->mutable_coordinates()->set_x(2);
  dims->mutable_coordinates()->set_y(1);
  dims->mutable_coordinates()->set_z(1);
  EXPECT_THAT(std::string(Load(clusters).status().message()), HasSubstr("clusters"));
  auto tma = OneKernel({0});
  (*Thunk(tma).mutable_tma_metadata()->mutable_arg_index_to_tma_info())[0]
      .set_element_size(4);
  EXPECT_THAT(std::string(Load(tma).status().message()), HasSubstr("TMA"));
}

}  // namespace
}  // namespace thunky::runtime
