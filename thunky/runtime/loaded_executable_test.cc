#include "thunky/runtime/loaded_executable.h"

#include <atomic>
#include <thread>

#include "absl/strings/str_cat.h"
#include "google/protobuf/text_format.h"
#include "thunky/hal/host/host_device.h"
#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// An argument buffer that holds `bytes`.
class Buffer {
 public:
  Buffer(hal::Device& device, std::vector<uint8_t> bytes)
      : device_(device), memory_(*device.Allocate(bytes.size())) {
    EXPECT_TRUE(device.Upload(memory_->span(), bytes).ok());
  }
  hal::DeviceSpan span() const { return memory_->span(); }
  std::vector<uint8_t> bytes() const {
    std::vector<uint8_t> result(memory_->span().size);
    EXPECT_TRUE(device_.Download(absl::MakeSpan(result), memory_->span()).ok());
    return result;
  }

 private:
  hal::Device& device_;
  std::unique_ptr<hal::Allocation> memory_;
};

constexpr char kS32[] =
    "element_type: S32 layout { tail_padding_alignment_in_elements: 1 }";

class LoadedExecutableTest : public ProgramTest {
 protected:
  // f(x: s32) -> (a constant 7, x + 1), by way of a temporary.
  wire::GpuExecutableProto ConstantAndIncrement() {
    wire::GpuExecutableProto proto;
    const std::string text = absl::StrCat(
        "module_name: 'f' program_shape { parameters { ", kS32,
        " } parameter_names: 'x' result { element_type: TUPLE tuple_shapes { ", kS32,
        " } tuple_shapes { ", kS32,
        " } } } buffer_allocations { values { size: 4 is_constant: true } values { "
        "index: "
        "1 size: 4 is_entry_computation_parameter: true } values { index: 2 size: 4 "
        "maybe_live_out: true } values { index: 3 size: 4 } } "
        "constants { symbol_name: 'seven' allocation_index: 0 content { data: '\\007' } "
        "} "
        "output_info_map { shape_index { indexes: 0 } output_info { allocation_index: 0 "
        "} "
        "} output_info_map { shape_index { indexes: 1 } output_info { allocation_index: "
        "2 "
        "} } ",
        KernelThunk("copy", {1, 3}), KernelThunk("plus_one", {3, 2}));
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &proto)) << text;
    proto.mutable_thunks(0)->mutable_custom_kernel_thunk()->set_written(0, false);
    proto.mutable_thunks(1)->mutable_custom_kernel_thunk()->set_written(0, false);
    return proto;
  }

  LoadedExecutableTest() {
    kernels_->Define("copy", 2, [](const hal::LaunchParams& params) {
      ArgumentI32(params, 1) = ArgumentI32(params, 0);
      return absl::OkStatus();
    });
    kernels_->Define("plus_one", 2, [](const hal::LaunchParams& params) {
      ArgumentI32(params, 1) = ArgumentI32(params, 0) + 1;
      return absl::OkStatus();
    });
  }
};

TEST_F(LoadedExecutableTest, BindsParametersResultsTemporariesAndConstants) {
  auto loaded = Load(ConstantAndIncrement());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  ASSERT_EQ((*loaded)->executable().arguments().size(), 3u);
  EXPECT_EQ((*loaded)->scratch_bytes(), 256u);
  for (uint8_t x : {1, 9, 200}) {
    Buffer in(*device_, {x, 1, 0, 0}), seven(*device_, {9, 9, 9, 9}),
        out(*device_, {9, 9, 9, 9});
    RunRequest request;
    request.arguments = {in.span(), seven.span(), out.span()};
    ASSERT_EQ((*loaded)->Run(request), absl::OkStatus());
    EXPECT_THAT(seven.bytes(), ElementsAre(7, 0, 0, 0));
    EXPECT_THAT(out.bytes(), ElementsAre(x + 1, 1, 0, 0));
    EXPECT_THAT(in.bytes(), ElementsAre(x, 1, 0, 0));
  }
}

TEST_F(LoadedExecutableTest, WrongArgumentsAreRefusedBeforeAnythingRuns) {
  std::atomic<int> launches{0};
  kernels_->Define("copy", 2, [&](const hal::LaunchParams&) {
    ++launches;
    return absl::OkStatus();
  });
  auto loaded = Load(ConstantAndIncrement());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  Buffer four(*device_, {1, 2, 3, 4}), five(*device_, {1, 2, 3, 4, 5});
  RunRequest request;
  request.arguments = {four.span(), four.span()};
  EXPECT_EQ(std::string((*loaded)->Run(request).message()),
            "program 'f' on host: 3 arguments expected, 2 given");
  request.arguments = {five.span(), four.span(), four.span()};
  EXPECT_EQ(std::string((*loaded)->Run(request).message()),
            "program 'f' on host: argument 0 'x' (s32[]): 4 bytes expected, 5 given");
  EXPECT_EQ(launches, 0);
}

TEST_F(LoadedExecutableTest, ManyThreadsMayRunOne) {
  auto loaded = Load(ConstantAndIncrement());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (uint8_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (uint8_t i = 0; i < 100; ++i) {
        Buffer in(*device_, {i, t, 0, 0}), seven(*device_, {0, 0, 0, 0}),
            out(*device_, {0, 0, 0, 0});
        RunRequest request;
        request.arguments = {in.span(), seven.span(), out.span()};
        const std::vector<uint8_t> expected = {static_cast<uint8_t>(i + 1), t, 0, 0};
        if (!(*loaded)->Run(request).ok() || out.bytes() != expected) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(LoadedExecutableTest, AFailedRunLeavesTheExecutableUsable) {
  std::atomic<bool> fail{true};
  kernels_->Define("plus_one", 2, [&](const hal::LaunchParams& params) {
    ArgumentI32(params, 1) = ArgumentI32(params, 0) + 1;
    return fail ? absl::AbortedError("trap") : absl::OkStatus();
  });
  auto loaded = Load(ConstantAndIncrement());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  Buffer in(*device_, {1, 0, 0, 0}), seven(*device_, {0, 0, 0, 0}),
      out(*device_, {0, 0, 0, 0});
  RunRequest request;
  request.arguments = {in.span(), seven.span(), out.span()};
  absl::Status status = (*loaded)->Run(request);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("program 'f' on host: thunks[1] (custom_kernel 'plus_one')"));
  fail = false;
  EXPECT_EQ((*loaded)->Run(request), absl::OkStatus());
  EXPECT_THAT(out.bytes(), ElementsAre(2, 0, 0, 0));
}

TEST(ScratchLayout, EntriesAreAlignedAndSizesThatWrapAreRefused) {
  auto layout = ScratchLayout::Of({{3, 10}, {5, 0}, {9, 257}});
  ASSERT_TRUE(layout.ok());
  EXPECT_EQ(layout->entries[1].offset, 256u);
  EXPECT_EQ(layout->entries[2].offset, 256u);
  EXPECT_EQ(layout->arena_size, 768u);
  EXPECT_FALSE(ScratchLayout::Of({{0, INT64_MAX}, {1, INT64_MAX}, {2, INT64_MAX}}).ok());
}

TEST(ContextPool, ContextsAreReused) {
  class NoKernels : public hal::KernelLoader {
    std::string_view name() const override { return "none"; }
    absl::StatusOr<std::shared_ptr<const hal::HostKernel>> Load(
        const hal::KernelSource&) override {
      return absl::NotFoundError("none");
    }
  };
  auto device = hal::MakeHostDevice(std::make_unique<NoKernels>());
  ContextPool pool(1);
  auto first = pool.Lease(*device, 100);
  ASSERT_TRUE(first.ok());
  const ExecutionContext* address = first->get();
  std::thread other([&] {
    auto second = pool.Lease(*device, 100);
    ASSERT_TRUE(second.ok());
    EXPECT_EQ(second->get(), address);
    pool.Return(*std::move(second));
  });
  pool.Return(*std::move(first));
  other.join();
}

}  // namespace
}  // namespace thunky::runtime
