#include "thunky/ptx/kernel_interface.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/ptx/parser.h"

namespace thunky::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

absl::StatusOr<std::vector<KernelInterface>> List(const std::string& items) {
  const absl::StatusOr<ast::Module> module =
      ParseModule(".version 9.0\n.target sm_90\n.address_size 64\n" + items);
  if (!module.ok()) return module.status();
  return ListKernels(*module);
}

TEST(KernelInterfaceTest, Parameters) {
  const auto kernels = List(
      ".visible .entry k(.param .u32 n, .param .u64 .ptr .global .align 16 p, .param "
      ".align "
      "8 .b8 s[20], .param .v2 .f32 v, .param .u8 b[2][3]) { ret; }");
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  ASSERT_EQ(kernels->size(), 1u);
  const KernelInterface& k = kernels->front();
  EXPECT_EQ(k.name, "k");
  EXPECT_TRUE(k.has_body);
  EXPECT_EQ(k.location.line, 4u);
  std::vector<std::string> types;
  std::vector<uint64_t> offsets, sizes, alignments;
  for (const KernelParameter& parameter : k.parameters) {
    types.push_back(parameter.type);
    offsets.push_back(parameter.offset);
    sizes.push_back(parameter.size);
    alignments.push_back(parameter.alignment);
  }
  EXPECT_THAT(types, ElementsAre("u32", "u64", "b8[20]", "v2 f32", "u8[2][3]"));
  EXPECT_THAT(offsets, ElementsAre(0u, 8u, 16u, 40u, 48u));
  EXPECT_THAT(sizes, ElementsAre(4u, 8u, 20u, 8u, 6u));
  EXPECT_THAT(alignments, ElementsAre(4u, 8u, 8u, 8u, 1u));
  EXPECT_TRUE(k.parameters[1].is_pointer);
  EXPECT_FALSE(k.parameters[0].is_pointer);
  EXPECT_EQ(k.parameters[1].name, "p");
  EXPECT_EQ(k.parameter_bytes, 54u);
}

TEST(KernelInterfaceTest, BoundsAndSharedMemory) {
  const auto kernels = List(
      ".shared .b8 m[10];\n.extern .shared .b8 dynamic[];\n"
      ".visible .entry a() .reqntid 32 { .shared .align 16 .b32 x[4]; { .shared .b8 y; } "
      "ret; }\n"
      ".visible .entry b() .maxntid 64, 2, 1 { unknown.thing; }");
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  ASSERT_EQ(kernels->size(), 2u);
  EXPECT_EQ((*kernels)[0].static_shared_bytes, 33u);
  EXPECT_TRUE((*kernels)[0].declares_dynamic_shared);
  EXPECT_THAT(*(*kernels)[0].bounds.reqntid, ElementsAre(32u, 1u, 1u));
  EXPECT_FALSE((*kernels)[0].bounds.maxntid.has_value());
  EXPECT_EQ((*kernels)[1].static_shared_bytes, 10u);
  EXPECT_THAT(*(*kernels)[1].bounds.maxntid, ElementsAre(64u, 2u, 1u));
}

TEST(KernelInterfaceTest, DeclarationsAndFunctions) {
  const auto kernels = List(
      ".extern .entry only();\n.visible .entry both();\n.visible .entry both() { ret; }\n"
      ".func f() { ret; }");
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  ASSERT_EQ(kernels->size(), 2u);
  EXPECT_EQ((*kernels)[0].name, "only");
  EXPECT_FALSE((*kernels)[0].has_body);
  EXPECT_EQ((*kernels)[1].name, "both");
  EXPECT_TRUE((*kernels)[1].has_body);
  EXPECT_THAT(List("").value(), IsEmpty());
}

TEST(KernelInterfaceTest, Errors) {
  EXPECT_EQ(List(".visible .entry k(.param .texref t) { ret; }").status().message(),
            "entry 'k': variable 't': type '.texref' is not supported");
  EXPECT_EQ(
      List(".visible .entry k() .reqntid 0 { ret; }").status().message(),
      "entry 'k': line 4: .reqntid takes one to three numbers from 1 to 4294967295");
  EXPECT_EQ(
      List(".visible .entry k(.param .b8 a[0x7FFFFFFFFFFFFFFF], .param .b8 b) { ret; "
           "}")
          .status()
          .message(),
      "entry 'k': the variables' sizes do not fit 63 bits");
}

}  // namespace
}  // namespace thunky::ptx
