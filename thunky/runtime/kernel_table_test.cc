#include "thunky/runtime/kernel_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thunky::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kTwoEntries[] = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry first(.param .u64 p0) { ret; }
.visible .entry second(.param .u64 p0, .param .u32 p1) .reqntid 32, 1, 1 { ret; }
)";

wire::KernelLoaderSpecProto Cubin(const std::string& entry, const std::string& code) {
  wire::KernelLoaderSpecProto spec;
  spec.set_kernel_name(entry);
  spec.mutable_cubin()->set_data(code);
  return spec;
}

class KernelTableTest : public testing::Test {
 protected:
  KernelTableTest() { EXPECT_EQ(library_.Add("two.ptx", kTwoEntries), absl::OkStatus()); }
  const KernelUse use_{.path = "thunks[1]", .block = {32, 1, 1}, .argument_sizes = {8}};
  code::PtxLibrary library_;
  KernelTable table_{&library_};
};

TEST_F(KernelTableTest, OneKernelHasOneSlot) {
  EXPECT_EQ(*table_.Add(Cubin("first", "code"), use_), 0u);
  EXPECT_EQ(*table_.Add(Cubin("first", "code"), use_), 0u);
  EXPECT_EQ(*table_.Add(Cubin("first", "other code"), use_), 1u);
  EXPECT_EQ(*table_.Add(Cubin("third", "code"), use_), 2u);
  EXPECT_EQ(table_.slots().size(), 3u);
  EXPECT_EQ(table_.slots()[0].source.cubin, table_.slots()[2].source.cubin);
}

TEST_F(KernelTableTest, LibraryPtxIsAttachedByEntryName) {
  ASSERT_TRUE(table_.Add(Cubin("first", "code"), use_).ok());
  const KernelSlot& slot = table_.slots()[0];
  ASSERT_NE(slot.source.ptx, nullptr);
  EXPECT_EQ(*slot.source.ptx, kTwoEntries);
  EXPECT_EQ(slot.source.origin, "two.ptx");
  EXPECT_THAT(table_.attached(), ElementsAre("first"));
  EXPECT_TRUE(library_.UnusedFiles(table_.attached()).empty());
}

TEST_F(KernelTableTest, AKernelsOwnPtxWins) {
  wire::KernelLoaderSpecProto spec;
  spec.set_kernel_name("first");
  spec.mutable_ptx()->set_data("own");
  ASSERT_TRUE(table_.Add(spec, use_).ok());
  EXPECT_EQ(*table_.slots()[0].source.ptx, "own");
  EXPECT_TRUE(table_.attached().empty());
}

TEST_F(KernelTableTest, AnEntryThatDoesNotFitIsAnErrorNamingTheFile) {
  absl::Status count = table_.Add(Cubin("second", "code"), use_).status();
  EXPECT_EQ(count.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(count.message()), HasSubstr("two.ptx"));
  KernelUse wide = use_;
  wide.argument_sizes = {8, 8};
  EXPECT_THAT(std::string(table_.Add(Cubin("second", "code"), wide).status().message()),
              HasSubstr("parameter 1"));
  KernelUse block = use_;
  block.argument_sizes = {8, 4};
  EXPECT_TRUE(table_.Add(Cubin("second", "code"), block).ok());
  block.block = {64, 1, 1};
  EXPECT_THAT(std::string(table_.Add(Cubin("second", "code"), block).status().message()),
              HasSubstr("(32,1,1)"));
}

TEST_F(KernelTableTest, AKernelWithoutCodeIsAnError) {
  wire::KernelLoaderSpecProto spec;
  spec.set_kernel_name("first");
  EXPECT_EQ(table_.Add(spec, use_).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace thunky::runtime
