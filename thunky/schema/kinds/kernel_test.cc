#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using testing::ElementsAre;

std::string Arg(int allocation, int offset, int size) {
  return absl::StrCat("slice { buffer_allocation_index: ", allocation,
                      " offset: ", offset, " size: ", size, " } ");
}

constexpr char kDims[] =
    "block_dims { coordinates { x: 1 y: 1 z: 1 } } "
    "thread_dims { coordinates { x: 32 y: 1 z: 1 } } ";

// A good launch of two arguments, the second one written.
std::string Launch(
    const std::string& more_thunk = "", const std::string& more_kernel = "",
    const std::string& spec = "ptx { data: 'x' } kernel_name: 'k' arity: 2",
    const std::string& dims = kDims) {
  return absl::StrCat("custom_kernel_thunk { args { ", Arg(0, 0, 16), " } args { ",
                      Arg(1, 0, 16),
                      " } written: false written: true custom_kernel { kernel_spec { ",
                      spec, " } ", dims, more_kernel, " } ", more_thunk, " }");
}

std::string WithSpec(const std::string& spec) { return Launch("", "", spec); }

std::string WithDims(const std::string& grid, const std::string& block) {
  return Launch("", "", "ptx { data: 'x' } kernel_name: 'k' arity: 2",
                absl::StrCat("block_dims { coordinates { ", grid,
                             " } } thread_dims { coordinates { ", block, " } } "));
}

TEST(CustomKernelTest, ModesFollowTheWrittenFlags) {
  EXPECT_THAT(AccessText(Launch()),
              ElementsAre("args[0] read 0 [0, 16)", "args[1] write 1 [0, 16)"));
  EXPECT_THAT(VerifyThunk(Launch()), Succeeds());
}

TEST(CustomKernelTest, AWrittenArgumentPassedTwiceIsReadToo) {
  const std::string thunk = absl::StrCat(
      "custom_kernel_thunk { args { ", Arg(0, 0, 16), " } args { ", Arg(0, 0, 16),
      " } args { ", Arg(0, 16, 16), " } written: [false, true, true] }");
  EXPECT_THAT(AccessText(thunk),
              ElementsAre("args[0] read 0 [0, 16)", "args[1] read_write 0 [0, 16)",
                          "args[2] write 0 [16, 32)"));
}

TEST(CustomKernelTest, PartialOverlapWithAWriteIsRefused) {
  EXPECT_THAT(
      VerifyThunk(absl::StrCat(
          "custom_kernel_thunk { args { ", Arg(1, 0, 16), " } args { ", Arg(1, 8, 16),
          " } written: [false, true] custom_kernel { ",
          "kernel_spec { ptx { data: 'x' } kernel_name: 'k' arity: 2 } ", kDims, " } }")),
      FailsWith("args[0] (allocation 1 [0, 16), read) and args[1] (allocation 1 [8, 24), "
                "write) overlap in part"));
  EXPECT_THAT(
      VerifyThunk(absl::StrCat(
          "custom_kernel_thunk { args { ", Arg(1, 0, 16), " } args { ", Arg(1, 8, 16),
          " } written: [false, false] custom_kernel { ",
          "kernel_spec { ptx { data: 'x' } kernel_name: 'k' arity: 2 } ", kDims, " } }")),
      Succeeds());
}

TEST(CustomKernelTest, OneFlagAnArgument) {
  EXPECT_THAT(VerifyThunk(Launch("written: true")),
              FailsWith("has 2 args and 3 written flags"));
}

TEST(CustomKernelTest, AccessModesDecide) {
  const std::string modes = "thunky_access: [ACCESS_MODE_READ, ACCESS_MODE_WRITE_ALL]";
  EXPECT_THAT(VerifyThunk(Launch(modes)), Succeeds());
  EXPECT_THAT(AccessText(Launch(modes)),
              ElementsAre("args[0] read 0 [0, 16)", "args[1] write_all 1 [0, 16)"));
  EXPECT_THAT(
      AccessText(Launch("thunky_access: [ACCESS_MODE_READ, ACCESS_MODE_READ_WRITE]")),
      ElementsAre("args[0] read 0 [0, 16)", "args[1] read_write 1 [0, 16)"));
  EXPECT_THAT(VerifyThunk(Launch("thunky_access: ACCESS_MODE_READ")),
              FailsWith("has 2 args and 1 access modes"));
  EXPECT_THAT(VerifyThunk(Launch("thunky_access: [ACCESS_MODE_READ, ACCESS_MODE_READ]")),
              FailsWith("args[1] has access mode read and is marked as written"));
  EXPECT_THAT(
      VerifyThunk(Launch("thunky_access: [ACCESS_MODE_WRITE, ACCESS_MODE_WRITE]")),
      FailsWith("args[0] has access mode write and is not marked as written"));
  EXPECT_THAT(
      VerifyThunk(Launch("thunky_access: [ACCESS_MODE_UNSPECIFIED, ACCESS_MODE_WRITE]")),
      FailsWith("args[0] has access mode 0; expected read"));
}

TEST(CustomKernelTest, NeedsCode) {
  EXPECT_THAT(VerifyThunk("custom_kernel_thunk {}"),
              FailsWith("custom_kernel is missing"));
  EXPECT_THAT(VerifyThunk(WithSpec("kernel_name: 'k' arity: 2")),
              FailsWith("the kernel has no code"));
  EXPECT_THAT(VerifyThunk(WithSpec("ptx {} kernel_name: 'k' arity: 2")),
              FailsWith("the kernel's PTX is empty"));
  EXPECT_THAT(VerifyThunk(WithSpec("cubin {} kernel_name: 'k' arity: 2")),
              FailsWith("the kernel's cubin is empty"));
  EXPECT_THAT(VerifyThunk(WithSpec("cubin { data: 'x' } arity: 2")),
              FailsWith("kernel_name is missing"));
  EXPECT_THAT(VerifyThunk(WithSpec("in_process_symbol {} arity: 2")),
              FailsWith("in-process symbol has no name"));
  EXPECT_THAT(
      VerifyThunk(WithSpec("in_process_symbol { persistent_name: 's' } arity: 2")),
      Succeeds());
}

constexpr char kAddress0[] =
    "kernel_arguments { relocations { kind: KIND_BITS64_ABSOLUTE } } ";
constexpr char kAddress1[] =
    "kernel_arguments { relocations { kind: KIND_BITS64_ABSOLUTE argument_index: 1 } } ";

std::string Packed(const std::string& parameters, int arity) {
  return WithSpec(absl::StrCat("ptx { data: 'x' } kernel_name: 'k' arity: ", arity,
                               " kernel_args_packing_spec { ", parameters, " }"));
}

TEST(CustomKernelTest, ArityIsTheArgumentsWithoutPacking) {
  EXPECT_THAT(VerifyThunk(WithSpec("ptx { data: 'x' } kernel_name: 'k' arity: 3")),
              FailsWith("has 2 args, arity is 3 and there is no packing spec"));
}

TEST(CustomKernelTest, PackingDescribesEveryParameter) {
  EXPECT_THAT(VerifyThunk(Packed(absl::StrCat(kAddress0, kAddress1), 2)), Succeeds());
  EXPECT_THAT(
      VerifyThunk(
          Packed(absl::StrCat(kAddress0, "kernel_arguments { data: ",
                              "'\\000\\000\\000\\000\\000\\000\\000\\000' } ", kAddress1),
                 3)),
      Succeeds());
  EXPECT_THAT(VerifyThunk(Packed(kAddress0, 2)),
              FailsWith("the packing spec describes 1 parameters and arity is 2"));
  EXPECT_THAT(VerifyThunk(Packed("kernel_arguments {}", 1)),
              FailsWith("packed parameter 0 has 0 constant bytes"));
  EXPECT_THAT(
      VerifyThunk(Packed(
          absl::StrCat("kernel_arguments { data: '", std::string(4097, 'x'), "' }"), 1)),
      FailsWith("packed parameter 0 has 4097 constant bytes"));
  EXPECT_THAT(VerifyThunk(Packed("kernel_arguments { relocations { } }", 1)),
              FailsWith("has a relocation of kind 0"));
  EXPECT_THAT(VerifyThunk(Packed("kernel_arguments { data: 'x' relocations { kind: "
                                 "KIND_BITS64_ABSOLUTE } }",
                                 1)),
              FailsWith("it must be one address or constant bytes"));
  for (const int index : {-1, 2}) {
    EXPECT_THAT(
        VerifyThunk(Packed(absl::StrCat("kernel_arguments { relocations { kind: "
                                        "KIND_BITS64_ABSOLUTE argument_index: ",
                                        index, " } }"),
                           1)),
        FailsWith(absl::StrCat("takes the address of argument ", index, " of 2")));
  }
}

TEST(CustomKernelTest, LaunchLimits) {
  const std::string one = "x: 1 y: 1 z: 1";
  EXPECT_THAT(
      VerifyThunk(WithDims("x: 2147483647 y: 65535 z: 65535", "x: 1024 y: 1 z: 1")),
      Succeeds());
  EXPECT_THAT(VerifyThunk(WithDims(one, "x: 4 y: 4 z: 64")), Succeeds());
  EXPECT_THAT(VerifyThunk(WithDims("x: 2147483648 y: 1 z: 1", one)),
              FailsWith("grid x is 2147483648; 1 to 2147483647 are allowed"));
  EXPECT_THAT(VerifyThunk(WithDims("x: 1 y: 65536 z: 1", one)), FailsWith("grid y"));
  EXPECT_THAT(VerifyThunk(WithDims("x: 1 y: 1 z: 65536", one)), FailsWith("grid z"));
  EXPECT_THAT(VerifyThunk(WithDims("x: 0 y: 1 z: 1", one)), FailsWith("grid x is 0"));
  EXPECT_THAT(VerifyThunk(WithDims("", one)), FailsWith("grid x is 0"));
  EXPECT_THAT(VerifyThunk(WithDims(one, "x: 1025 y: 1 z: 1")), FailsWith("block x"));
  EXPECT_THAT(VerifyThunk(WithDims(one, "x: 1 y: 1025 z: 1")), FailsWith("block y"));
  EXPECT_THAT(VerifyThunk(WithDims(one, "x: 1 y: 1 z: 65")), FailsWith("block z is 65"));
  EXPECT_THAT(VerifyThunk(WithDims(one, "x: -1 y: 1 z: 1")), FailsWith("block x is -1"));
  EXPECT_THAT(VerifyThunk(WithDims(one, "x: 64 y: 32 z: 1")),
              FailsWith("the block has 2048 threads; at most 1024"));
}

TEST(CustomKernelTest, Clusters) {
  const auto cluster = [](const std::string& dims) {
    return Launch("", absl::StrCat("cluster_dim { coordinates { ", dims, " } }"),
                  "ptx { data: 'x' } kernel_name: 'k' arity: 2",
                  "block_dims { coordinates { x: 64 y: 6 z: 1 } } "
                  "thread_dims { coordinates { x: 32 y: 1 z: 1 } } ");
  };
  EXPECT_THAT(VerifyThunk(cluster("x: 4 y: 2 z: 1")), Succeeds());
  EXPECT_THAT(
      VerifyThunk(cluster("x: 1 y: 4 z: 1")),
      FailsWith("the grid (64, 6, 1) is not made of whole clusters of (1, 4, 1)"));
  EXPECT_THAT(VerifyThunk(cluster("x: 16 y: 2 z: 1")),
              FailsWith("cluster has 32 blocks"));
  EXPECT_THAT(VerifyThunk(cluster("x: 0 y: 1 z: 1")), FailsWith("cluster x is 0"));
}

TEST(CustomKernelTest, SharedMemoryIsNotNegative) {
  EXPECT_THAT(VerifyThunk(Launch("", "shared_memory_bytes: 1000000")), Succeeds());
  EXPECT_THAT(VerifyThunk(Launch("", "shared_memory_bytes: -1")),
              FailsWith("the shared memory is -1 bytes"));
}

TEST(CustomKernelTest, ZeroedOutputsAreWrittenArguments) {
  EXPECT_THAT(VerifyThunk(Launch("zeroed_output_buffer_indices: 1")), Succeeds());
  EXPECT_THAT(VerifyThunk(Launch("zeroed_output_buffer_indices: 0")),
              FailsWith("zeroed_output_buffer_indices names argument 0, which is not"));
  EXPECT_THAT(VerifyThunk(Launch("zeroed_output_buffer_indices: 2")),
              FailsWith("zeroed_output_buffer_indices names argument 2 of 2"));
  EXPECT_THAT(VerifyThunk(Launch("zeroed_output_buffer_indices: -1")),
              FailsWith("names argument -1 of 2"));
}

TEST(CustomKernelTest, TensorMapsBelongToArguments) {
  EXPECT_THAT(VerifyThunk(Launch("tma_metadata { arg_index_to_tma_info { key: 1 } }")),
              Succeeds());
  EXPECT_THAT(VerifyThunk(Launch("tma_metadata { arg_index_to_tma_info { key: 2 } }")),
              FailsWith("tma_metadata names argument 2 of 2"));
}

TEST(CustomKernelTest, ArgumentsAreCounted) {
  std::string many = Launch();
  many.pop_back();
  for (int i = 0; i < kMaxThunkBuffers; ++i) many += "args { slice {} } written: false ";
  many += "custom_kernel { kernel_spec { arity: " + std::to_string(kMaxThunkBuffers + 2) +
          " } } }";
  EXPECT_THAT(VerifyThunk(many), FailsWith("has more than 65536 buffers"));
}

// The same rules in the form without own code.
std::string Kernel(const std::string& more = "", const std::string& name = "k") {
  return absl::StrCat(
      "kernel_thunk { args { size: 16 } args { buffer_allocation_index: 1 size: 16 } "
      "written: [false, true] kernel_name: '",
      name,
      "' launch_dimensions { block_counts { coordinates { x: 1 y: 1 z: 1 } } "
      "thread_counts_per_block { coordinates { x: 32 y: 1 z: 1 } } } ",
      more, " }");
}

TEST(KernelTest, Rules) {
  EXPECT_THAT(VerifyThunk(Kernel()), Succeeds());
  EXPECT_THAT(AccessText(Kernel()),
              ElementsAre("args[0] read 0 [0, 16)", "args[1] write 1 [0, 16)"));
  EXPECT_THAT(VerifyThunk(Kernel("", "")), FailsWith("kernel_name is missing"));
  EXPECT_THAT(VerifyThunk(Kernel("written: true")), FailsWith("3 written flags"));
  EXPECT_THAT(VerifyThunk(Kernel("args_shape {}")), FailsWith("has 2 args and 1 shapes"));
  EXPECT_THAT(VerifyThunk(Kernel("shmem_bytes: -4")), FailsWith("is -4 bytes"));
  EXPECT_THAT(VerifyThunk(Kernel("zeroed_output_buffer_indices: 0")),
              FailsWith("which is not written"));
  EXPECT_THAT(VerifyThunk(Kernel("cluster_dim { coordinates { x: 2 y: 1 z: 1 } }")),
              FailsWith("is not made of whole clusters"));
  EXPECT_THAT(
      VerifyThunk(Kernel("launch_dimensions { block_counts { coordinates { x: 0 } "
                         "} }")),
      FailsWith("grid x is 0"));
  EXPECT_THAT(VerifyThunk(Kernel("launch_dimensions { thread_counts_per_block { "
                                 "coordinates { y: 2048 } } }")),
              FailsWith("block y is 2048"));
  EXPECT_THAT(VerifyThunk(Kernel("args { size: 65 } written: false")),
              FailsWith("args[2] has offset 0 and size 65"));
}

}  // namespace
}  // namespace thunky::schema
