// Code that many kernels share is held once.
#include <malloc.h>

#include <set>

#include "absl/strings/str_cat.h"
#include "thunky/runtime/testing/program_test.h"
#include "thunky/schema/code_table.h"

namespace thunky::runtime {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kCodeBytes = 10 * kMiB;
constexpr int kKernels = 100;

// Bytes that the program has from malloc. Sanitizers' allocators say 0.
size_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

class SharedCodeMemoryTest : public ProgramTest {
 protected:
  // kKernels kernels, all in one module of kCodeBytes.
  wire::GpuExecutableProto ManyKernels() {
    std::string thunks;
    for (int i = 0; i < kKernels; ++i) {
      thunks += KernelThunk(absl::StrCat("kernel_", i), {0});
    }
    wire::GpuExecutableProto proto = Program({4}, thunks);
    wire::KernelCodeProto& code = *proto.mutable_thunky()->add_kernel_code();
    code.set_ptx(std::string(kCodeBytes / 2, 'p'));
    code.add_cubins()->set_architecture("sm_90a");
    code.mutable_cubins(0)->set_data(std::string(kCodeBytes / 2, 'c'));
    code.set_hash(schema::CodeHash(code));
    for (wire::ThunkProto& thunk : *proto.mutable_thunks()) {
      wire::KernelLoaderSpecProto& spec = *thunk.mutable_custom_kernel_thunk()
                                               ->mutable_custom_kernel()
                                               ->mutable_kernel_spec();
      spec.clear_ptx();
      spec.set_thunky_code(code.hash());
    }
    return proto;
  }
};

TEST_F(SharedCodeMemoryTest, OneCopyForAHundredKernels) {
  const wire::GpuExecutableProto proto = ManyKernels();
  EXPECT_LT(proto.ByteSizeLong(), kCodeBytes + kMiB);
  const size_t before = AllocatedBytes();
  auto executable = Executable::Load(proto, {});
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_LT(AllocatedBytes(), before + kCodeBytes + kMiB);
  std::set<const std::string*> texts;
  std::set<const std::string*> binaries;
  for (const KernelSlot& slot : (*executable)->kernels().slots()) {
    texts.insert(slot.source.ptx.get());
    binaries.insert(slot.source.cubins.at(0).code.get());
  }
  EXPECT_EQ((*executable)->kernels().slots().size(), size_t{kKernels});
  EXPECT_EQ(texts.size(), 1u);
  EXPECT_EQ(binaries.size(), 1u);
  EXPECT_EQ((*texts.begin())->size(), kCodeBytes / 2);
}

TEST_F(SharedCodeMemoryTest, TheProgramOutlivesTheMessage) {
  auto proto = std::make_unique<wire::GpuExecutableProto>(ManyKernels());
  int launches = 0;
  for (int i = 0; i < kKernels; ++i) {
    kernels_->Define(absl::StrCat("kernel_", i), 1, [&](const hal::LaunchParams&) {
      ++launches;
      return absl::OkStatus();
    });
  }
  auto executable = Executable::Load(*proto, {});
  ASSERT_TRUE(executable.ok()) << executable.status();
  proto.reset();
  auto loaded = LoadedExecutable::Prepare(*executable, *device_);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  auto memory = device_->Allocate(4);
  ASSERT_TRUE(memory.ok());
  RunRequest request;
  request.arguments = {(*memory)->span()};
  EXPECT_EQ((*loaded)->Run(request), absl::OkStatus());
  EXPECT_EQ(launches, kKernels);
}

}  // namespace
}  // namespace thunky::runtime
