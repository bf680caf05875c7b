#include "thunky/runtime/kernel_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "absl/strings/str_cat.h"

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
  EXPECT_EQ(table_.slots()[0].source.cubins[0].code,
            table_.slots()[2].source.cubins[0].code);
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

// An executable whose table has one entry: this PTX (none when empty), and cubins for
// two architectures.
class SharedCodeTest : public KernelTableTest {
 protected:
  void Share(const std::string& ptx) {
    wire::KernelCodeProto& code = *executable_.mutable_thunky()->add_kernel_code();
    code.set_ptx(ptx);
    for (const char* architecture : {"sm_90a", "sm_100f"}) {
      wire::CubinProto& cubin = *code.add_cubins();
      cubin.set_architecture(architecture);
      cubin.set_data(absl::StrCat("binary for ", architecture));
    }
    code.set_hash(schema::CodeHash(code));
    shared_ = schema::CodeTable::Of(executable_);
    ASSERT_TRUE(shared_.ok()) << shared_.status();
    with_shared_ = std::make_unique<KernelTable>(&library_, &*shared_);
  }

  wire::KernelLoaderSpecProto Reference(const std::string& entry) const {
    wire::KernelLoaderSpecProto spec;
    spec.set_kernel_name(entry);
    spec.set_thunky_code(executable_.thunky().kernel_code(0).hash());
    return spec;
  }

  wire::GpuExecutableProto executable_;
  absl::StatusOr<schema::CodeTable> shared_;
  std::unique_ptr<KernelTable> with_shared_;
};

TEST_F(SharedCodeTest, KeepsEveryForm) {
  Share("shared text");
  EXPECT_EQ(*with_shared_->Add(Reference("first"), use_), 0u);
  EXPECT_EQ(*with_shared_->Add(Reference("first"), use_), 0u);
  EXPECT_EQ(*with_shared_->Add(Reference("other"), use_), 1u);
  const hal::KernelSource& source = with_shared_->slots()[0].source;
  EXPECT_EQ(*source.ptx, "shared text");
  ASSERT_EQ(source.cubins.size(), 2u);
  EXPECT_EQ(source.cubins[0].architecture, "sm_90a");
  EXPECT_EQ(*source.cubins[0].code, "binary for sm_90a");
  EXPECT_EQ(source.cubins[1].architecture, "sm_100f");
  EXPECT_EQ(*source.cubins[1].code, "binary for sm_100f");
  EXPECT_EQ(with_shared_->slots()[1].source.ptx, source.ptx);
  EXPECT_TRUE(with_shared_->attached().empty()) << "its own PTX wins over the library";
}

TEST_F(SharedCodeTest, OwnAndSharedCodeThatAreEqualAreHeldOnce) {
  Share("shared text");
  ASSERT_TRUE(with_shared_->Add(Reference("first"), use_).ok());
  wire::KernelLoaderSpecProto own;
  own.set_kernel_name("own");
  own.mutable_ptx()->set_data("shared text");
  ASSERT_TRUE(with_shared_->Add(own, use_).ok());
  EXPECT_EQ(with_shared_->slots()[1].source.ptx, with_shared_->slots()[0].source.ptx);
}

TEST_F(SharedCodeTest, LibraryPtxIsAttachedWhereTheEntryHasNone) {
  Share("");
  ASSERT_TRUE(with_shared_->Add(Reference("first"), use_).ok());
  const hal::KernelSource& source = with_shared_->slots()[0].source;
  ASSERT_NE(source.ptx, nullptr);
  EXPECT_EQ(*source.ptx, kTwoEntries);
  EXPECT_EQ(source.cubins.size(), 2u);
  EXPECT_THAT(with_shared_->attached(), ElementsAre("first"));
}

TEST_F(SharedCodeTest, AHashThatIsNotThereIsAnError) {
  Share("shared text");
  wire::KernelLoaderSpecProto spec = Reference("first");
  spec.set_thunky_code("AB");
  for (KernelTable* table : {with_shared_.get(), &table_}) {
    EXPECT_THAT(std::string(table->Add(spec, use_).status().message()),
                HasSubstr("kernel 'first' refers to code 4142, which is not in the"));
  }
}

TEST_F(KernelTableTest, AKernelWithoutCodeIsAnError) {
  wire::KernelLoaderSpecProto spec;
  spec.set_kernel_name("first");
  EXPECT_EQ(table_.Add(spec, use_).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace thunky::runtime
