// Kernel code between executables and modules: payloads, the private table, and the
// code of the whole module.
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/expected_export.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/container/fixture_files.h"
#include "thunky/schema/code_table.h"

namespace thunky::compiler {
namespace {

using ::testing::HasSubstr;

wire::GpuExecutableProto program(const std::string& name) {
  absl::StatusOr<ExecutableFile> file =
      ReadExecutableFile(TestFile("thunks/" + name + ".textproto"));
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? std::move(file->executable) : wire::GpuExecutableProto();
}

wire::CustomKernelThunkProto& launchOf(wire::GpuExecutableProto& executable, int i = 0) {
  return *executable.mutable_thunks(i)->mutable_custom_kernel_thunk();
}

wire::KernelLoaderSpecProto& specOf(wire::GpuExecutableProto& executable, int i = 0) {
  return *launchOf(executable, i).mutable_custom_kernel()->mutable_kernel_spec();
}

int codeCount(mlir::ModuleOp module) {
  int count = 0;
  module.walk([&](KernelCodeOp) { ++count; });
  return count;
}

// Imports, passes the text to another context and exports from there.
std::optional<wire::GpuExecutableProto> roundTrip(const wire::GpuExecutableProto& from,
                                                  CodePlacement placement,
                                                  std::string* error = nullptr) {
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(from));
  EXPECT_TRUE(module) << compiler.diagnostics();
  if (!module) return std::nullopt;
  TestCompiler other;
  const auto copy = other.read(writeText(*module, false));
  EXPECT_TRUE(copy) << other.diagnostics();
  if (!copy) return std::nullopt;
  auto exported = other.exportFrom(*copy, placement);
  if (error != nullptr) *error = other.diagnostics();
  if (!exported.has_value()) return std::nullopt;
  return std::move(exported->executable);
}

TEST(CodeTest, KernelsWithEqualCodeShareASymbol) {
  wire::GpuExecutableProto executable = program("custom_kernel");
  for (int i = 0; i < 9; ++i) *executable.add_thunks() = executable.thunks(0);
  specOf(executable, 9).mutable_ptx()->mutable_data()->append("// other\n");
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(executable));
  ASSERT_TRUE(module) << compiler.diagnostics();
  EXPECT_EQ(codeCount(*module), 2);
  const auto runtime = roundTrip(executable, CodePlacement::kTable);
  ASSERT_TRUE(runtime.has_value());
  EXPECT_EQ(runtime->thunky().kernel_code_size(), 2);
  EXPECT_EQ(differenceOf(expectedExport(executable), withCodeInline(*runtime)), "");
  const auto inlined = roundTrip(executable, CodePlacement::kCubinFirst);
  ASSERT_TRUE(inlined.has_value());
  EXPECT_EQ(differenceOf(expectedExport(executable), *inlined), "");
}

// PTX and cubins of one kernel together, which only the table can hold. It is the
// kernel `two`, which takes nothing.
wire::GpuExecutableProto withTable() {
  wire::GpuExecutableProto executable = program("custom_kernel");
  launchOf(executable).clear_args();
  launchOf(executable).clear_written();
  specOf(executable).set_kernel_name("two");
  specOf(executable).set_arity(0);
  launchOf(executable)
      .mutable_custom_kernel()
      ->mutable_thread_dims()
      ->mutable_coordinates()
      ->set_x(64);
  wire::KernelCodeProto& code = *executable.mutable_thunky()->add_kernel_code();
  code.set_ptx(TestFile("cubins/two_kernels.ptx"));
  for (const std::string number : {"90a", "100f"}) {
    const std::string file =
        number == "90a" ? "cuda13_sm_90a.cubin" : "cuda13_sm_100f.cubin";
    wire::CubinProto& cubin = *code.add_cubins();
    cubin.set_architecture("sm_" + number);
    cubin.set_data(TestFile("cubins/" + file));
  }
  code.set_hash(schema::CodeHash(code));
  specOf(executable).clear_payload();
  specOf(executable).set_thunky_code(code.hash());
  return executable;
}

TEST(CodeTest, TheTableComesBack) {
  wire::GpuExecutableProto executable = withTable();
  // In the order of the architectures' names.
  wire::KernelCodeProto& code = *executable.mutable_thunky()->mutable_kernel_code(0);
  code.mutable_cubins()->SwapElements(0, 1);
  code.set_hash(schema::CodeHash(code));
  specOf(executable).set_thunky_code(code.hash());
  const auto exported = roundTrip(executable, CodePlacement::kTable);
  ASSERT_TRUE(exported.has_value());
  wire::GpuExecutableProto expected = expectedExport(executable);
  EXPECT_EQ(differenceOf(expected, *exported), "");
}

TEST(CodeTest, TheTargetChoosesThePayload) {
  wire::GpuExecutableProto executable = withTable();
  auto& capability =
      *executable.mutable_gpu_compute_capability()->mutable_cuda_compute_capability();
  capability.set_major(9);
  capability.set_feature_extension(
      wire::CudaComputeCapabilityProto::ACCELERATED_FEATURES);
  const wire::KernelCodeProto& code = executable.thunky().kernel_code(0);
  auto cubin = roundTrip(executable, CodePlacement::kCubinFirst);
  ASSERT_TRUE(cubin.has_value());
  EXPECT_EQ(specOf(*cubin).cubin().data(), code.cubins(0).data());
  EXPECT_FALSE(cubin->has_thunky());
  EXPECT_EQ(specOf(*cubin).thunky_code(), "");
  auto ptx = roundTrip(executable, CodePlacement::kPtx);
  ASSERT_TRUE(ptx.has_value());
  EXPECT_EQ(specOf(*ptx).ptx().data(), code.ptx());
  // No cubin fits: PTX, unless cubins are asked for.
  capability.set_major(8);
  auto other = roundTrip(executable, CodePlacement::kCubinFirst);
  ASSERT_TRUE(other.has_value());
  EXPECT_TRUE(specOf(*other).has_ptx());
  std::string error;
  EXPECT_FALSE(roundTrip(executable, CodePlacement::kCubin, &error).has_value());
  EXPECT_THAT(error, HasSubstr("has no cubin for sm_80a"));
}

TEST(CodeTest, AKernelWithoutPtxIsAnError) {
  wire::GpuExecutableProto executable = withTable();
  wire::KernelCodeProto& code = *executable.mutable_thunky()->mutable_kernel_code(0);
  code.clear_ptx();
  code.set_hash(schema::CodeHash(code));
  specOf(executable).set_thunky_code(code.hash());
  std::string error;
  EXPECT_FALSE(roundTrip(executable, CodePlacement::kPtx, &error).has_value());
  EXPECT_THAT(error, HasSubstr("launches 'two'"));
  EXPECT_THAT(error, HasSubstr("no PTX"));
}

// What the flags of an executable cannot say is kept between our own parts, and left
// out for others.
TEST(CodeTest, AccessesSurviveTheRuntimeForm) {
  wire::GpuExecutableProto executable = program("custom_kernel");
  launchOf(executable).add_thunky_access(wire::ACCESS_MODE_READ);
  launchOf(executable).add_thunky_access(wire::ACCESS_MODE_WRITE_ALL);
  auto runtime = roundTrip(executable, CodePlacement::kTable);
  ASSERT_TRUE(runtime.has_value());
  EXPECT_EQ(differenceOf(expectedExport(executable), withCodeInline(*runtime)), "");
  auto again = roundTrip(*runtime, CodePlacement::kTable);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(differenceOf(*runtime, *again), "");
  auto forJax = roundTrip(executable, CodePlacement::kPtx);
  ASSERT_TRUE(forJax.has_value());
  EXPECT_EQ(launchOf(*forJax).thunky_access_size(), 0);
}

// A symbol inside XLA has no code, and code that nothing can read stays where it is.
TEST(CodeTest, CodeThatIsNoneStaysInThePayload) {
  wire::GpuExecutableProto symbol = program("custom_kernel");
  specOf(symbol).mutable_in_process_symbol()->set_persistent_name("topk");
  wire::GpuExecutableProto damaged = program("custom_kernel");
  specOf(damaged).mutable_cubin()->set_data("no cubin");
  for (const wire::GpuExecutableProto& executable : {symbol, damaged}) {
    TestCompiler compiler;
    const auto module = compiler.import(bareFile(executable));
    ASSERT_TRUE(module) << compiler.diagnostics();
    EXPECT_EQ(thunkOpsOf(*module), "thunky.call_thunk_proto");
    for (const CodePlacement placement :
         {CodePlacement::kCubinFirst, CodePlacement::kPtx, CodePlacement::kTable}) {
      const auto exported = roundTrip(executable, placement);
      ASSERT_TRUE(exported.has_value());
      EXPECT_EQ(differenceOf(expectedExport(executable), *exported), "");
    }
  }
}

// In a payload, code is shared too.
TEST(CodeTest, KernelsInPayloadsHaveSymbols) {
  wire::GpuExecutableProto executable = program("dynamic_slice_fusion");
  wire::ThunkProto kernel = program("custom_kernel").thunks(0);
  wire::CustomKernelThunkProto& launch = *kernel.mutable_custom_kernel_thunk();
  launch.mutable_args()->Clear();
  for (int i = 0; i < 2; ++i) {
    wire::BufferAllocationSliceProto& slice = *launch.add_args()->mutable_slice();
    slice.set_size(16);
    slice.set_buffer_allocation_index(i);
  }
  *executable.mutable_thunks(0)
       ->mutable_while_thunk()
       ->mutable_body_thunk_sequence()
       ->mutable_thunks(0)
       ->mutable_dynamic_slice_fusion_thunk()
       ->mutable_embedded_thunks()
       ->add_thunks() = kernel;
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(executable));
  ASSERT_TRUE(module) << compiler.diagnostics();
  EXPECT_EQ(codeCount(*module), 1);
  const auto inlined = roundTrip(executable, CodePlacement::kCubinFirst);
  ASSERT_TRUE(inlined.has_value());
  EXPECT_EQ(differenceOf(expectedExport(executable), *inlined), "");
  const auto table = roundTrip(executable, CodePlacement::kTable);
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(differenceOf(expectedExport(executable), withCodeInline(*table)), "");
}

TEST(CodeTest, TheModulesCodeIsForKernelsThatItHas) {
  wire::GpuExecutableProto executable = program("kernel");
  *executable.add_thunks() = executable.thunks(0);
  executable.mutable_thunks(1)->mutable_kernel_thunk()->set_kernel_name("absent");
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(executable));
  ASSERT_TRUE(module) << compiler.diagnostics();
  EXPECT_EQ(thunkOpsOf(*module), "thunky.ptx_kernel, thunky.call_thunk_proto");
  EXPECT_EQ(codeCount(*module), 1);
  const auto exported = roundTrip(executable, CodePlacement::kCubinFirst);
  ASSERT_TRUE(exported.has_value());
  EXPECT_EQ(differenceOf(expectedExport(executable), *exported), "");
}

}  // namespace
}  // namespace thunky::compiler
