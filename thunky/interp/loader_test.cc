#include "thunky/interp/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

hal::KernelSource Source(std::string ptx, std::string entry = "k") {
  hal::KernelSource source;
  source.entry = std::move(entry);
  source.ptx = std::make_shared<const std::string>(std::move(ptx));
  source.origin = "file.ptx";
  return source;
}

std::string LoadError(const hal::KernelSource& source) {
  return MakeInterpreterLoader()->Load(source).status().ToString();
}

TEST(LoaderTest, SaysWhatTheCodeSays) {
  const auto loader = MakeInterpreterLoader();
  EXPECT_EQ(loader->name(), "interp");
  const auto kernel = loader->Load(Source(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, "
      ".param .align 8 .b8 s[20])\n.reqntid 128, 1, 1\n{ .shared .b8 x[100]; .reg .b32 "
      "%r; "
      "ld.shared.u8 %r, [x]; ret; }"));
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  const hal::KernelInfo& info = (*kernel)->info();
  EXPECT_EQ(info.entry, "k");
  ASSERT_EQ(info.parameters.size(), 2u);
  EXPECT_EQ(info.parameters[1].size, 20u);
  EXPECT_EQ(info.parameters[1].alignment, 8u);
  EXPECT_EQ(info.static_shared_bytes, 100u);
  ASSERT_TRUE(info.required_block.has_value());
  EXPECT_EQ((*info.required_block)[0], 128u);
}

TEST(LoaderTest, ErrorsNameEntryAndOrigin) {
  hal::KernelSource none = Source("");
  none.ptx = nullptr;
  EXPECT_THAT(LoadError(none), HasSubstr("kernel 'k' of file.ptx: has no PTX"));
  none.cubins.push_back({"sm_90", std::make_shared<const std::string>("ELF")});
  EXPECT_THAT(LoadError(none), HasSubstr("only binary code"));
  const std::string good = Module("", "ret;");
  EXPECT_THAT(LoadError(Source(good, "other")),
              AllOf(HasSubstr("kernel 'other' of file.ptx"), HasSubstr("k")));
  EXPECT_THAT(LoadError(Source("not ptx")), HasSubstr("file.ptx"));
  EXPECT_THAT(LoadError(Source(".version 99.0\n.target sm_90\n")), HasSubstr("99.0"));
  EXPECT_THAT(LoadError(Source(Module("", "frobnicate.b32 1;"))),
              AllOf(HasSubstr("UNIMPLEMENTED"), HasSubstr("frobnicate")));
  EXPECT_THAT(
      LoadError(Source(Module("", ".reg .b32 %r; ld.global.u32 %r, [elsewhere]; ret;",
                              ".extern .global .u32 elsewhere;"))),
      HasSubstr("'elsewhere' has no definition"));
}

TEST(LoaderTest, TargetsPlayNoRole) {
  EXPECT_TRUE(
      MakeInterpreterLoader()
          ->Load(Source(".version 9.0\n.target sm_120a\n.address_size 64\n.entry k() "
                        "{ ret; }"))
          .ok());
}

// Two kernels of one module see each other's writes to its variables.
TEST(LoaderTest, KernelsOfAModuleShareItsVariables) {
  const std::string text = Module(".param .u64 out", R"(
    .reg .b32 %r1; .reg .b64 %rd1;
    ld.param.u64 %rd1, [out];
    ld.global.u32 %r1, [counter];
    st.global.u32 [%rd1], %r1;
    ret;)",
                                  R"(
.global .u32 counter = 40;
.visible .entry bump() { .reg .b32 %r1; ld.global.u32 %r1, [counter]; add.u32 %r1, %r1, 2;
  st.global.u32 [counter], %r1; ret; })");
  const auto loader = MakeInterpreterLoader();
  const auto bump = loader->Load(Source(text, "bump"));
  const auto read = loader->Load(Source(text, "k"));
  ASSERT_TRUE(bump.ok() && read.ok());
  hal::LaunchParams params;
  ASSERT_TRUE((*bump)->Launch(params).ok());
  uint32_t value = 0;
  const uint64_t address = reinterpret_cast<uint64_t>(&value);
  const hal::MemoryMap memory({{address, address + 4, true, "value"}});
  params.memory = &memory;
  params.arguments.resize(1);
  for (int i = 0; i < 8; ++i) params.arguments[0].push_back(address >> (8 * i) & 0xff);
  ASSERT_TRUE((*read)->Launch(params).ok());
  EXPECT_EQ(value, 42u);
}

TEST(LoaderTest, HostileSizesAreRefused) {
  EXPECT_THAT(LoadError(Source(Module("", ".reg .b32 %r; ld.global.u8 %r, [x]; ret;",
                                      ".global .b8 x[1099511627776];"))),
              HasSubstr("1099511627776 bytes"));
  EXPECT_FALSE(MakeInterpreterLoader()
                   ->Load(Source(Module("",
                                        ".local .b8 x[1073741824]; .reg .b32 %r; "
                                        "ld.local.u8 %r, [x]; ret;")))
                   .ok());
}

}  // namespace
}  // namespace thunky::interp
