// The machine code in executables that JAX compiled.
#include <string>

#include "gtest/gtest.h"
#include "thunky/container/executable_file.h"
#include "thunky/container/fixture_files.h"
#include "thunky/cubin/cubin_reader.h"
#include "thunky/schema/walk.h"

namespace thunky::cubin {
namespace {

void CheckKernel(const std::string& where, const wire::CustomKernelProto& kernel) {
  const wire::KernelLoaderSpecProto& spec = kernel.kernel_spec();
  const auto info = ReadCubin(spec.cubin().data());
  ASSERT_TRUE(info.ok()) << where << ": " << info.status();
  EXPECT_EQ(info->architecture, "sm_90a") << where;
  const CubinEntry* entry = info->Find(spec.kernel_name());
  ASSERT_NE(entry, nullptr) << where << ": no " << spec.kernel_name();
  EXPECT_GT(entry->code_bytes, 0u) << where;
  ASSERT_TRUE(entry->parameters.has_value()) << where;
  EXPECT_EQ(entry->parameters->size(), static_cast<size_t>(spec.arity())) << where;
  for (const CubinParameter& parameter : *entry->parameters) {
    EXPECT_EQ(parameter.size, 8u) << where;
  }
  if (!entry->required_block.has_value()) return;
  const wire::Dim3DProto& block = kernel.thread_dims().coordinates();
  EXPECT_EQ((*entry->required_block)[0], block.x()) << where;
  EXPECT_EQ((*entry->required_block)[1], block.y()) << where;
  EXPECT_EQ((*entry->required_block)[2], block.z()) << where;
}

TEST(CubinFixturesTest, EveryKernelIsFound) {
  int kernels = 0;
  for (const std::string& name : FixtureNames()) {
    const auto file = ReadExecutableFile(FixtureExecutable(name));
    ASSERT_TRUE(file.ok()) << name << ": " << file.status();
    const absl::Status status = schema::WalkThunks(
        file->executable.thunks(), [&](const schema::ThunkVisit& visit) {
          const auto& kernel = visit.thunk.custom_kernel_thunk().custom_kernel();
          if (kernel.kernel_spec().has_cubin()) {
            CheckKernel(name + ": " + visit.path.ToString(), kernel);
            ++kernels;
          }
          return absl::OkStatus();
        });
    EXPECT_TRUE(status.ok()) << status;
  }
  EXPECT_GT(kernels, 200);
}

}  // namespace
}  // namespace thunky::cubin
