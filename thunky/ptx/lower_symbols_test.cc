// Variables of the module and of functions: layout, initialisers, limits.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/ptx/lowering_for_test.h"

namespace thunky::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A program whose entry takes the address of `name`, so that the declarations count.
absl::StatusOr<ir::Program> Use(const std::string& declarations,
                                const std::string& name) {
  return LowerItems(declarations +
                    "\n.visible .entry k() { .reg .b64 %rd; mov.u64 %rd, " + name +
                    "; ret; }");
}

// The first symbol of the program.
ir::Symbol First(const std::string& declarations, const std::string& name = "v") {
  absl::StatusOr<ir::Program> program = Use(declarations, name);
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok() || program->symbols.empty()) return {};
  return program->symbols[0];
}

std::string Error(const std::string& declarations, const std::string& name = "v") {
  return std::string(Use(declarations, name).status().message());
}

TEST(SymbolTest, SizesAndAlignments) {
  const ir::Symbol matrix = First(".global .f32 v[3][4];");
  EXPECT_EQ(matrix.size, 48u);
  EXPECT_EQ(matrix.alignment, 4u);
  EXPECT_EQ(matrix.element_bytes, 4u);
  EXPECT_EQ(matrix.space, ir::Space::kGlobal);
  EXPECT_THAT(matrix.init, IsEmpty());
  const ir::Symbol vector = First(".const .v4 .f32 v;");
  EXPECT_EQ(vector.size, 16u);
  EXPECT_EQ(vector.alignment, 16u);
  EXPECT_EQ(vector.space, ir::Space::kConst);
  EXPECT_EQ(First(".global .align 128 .b8 v[5];").alignment, 128u);
  EXPECT_EQ(First(".global .b8 v[4 * WARP_SZ];").size, 128u);
}

TEST(SymbolTest, Initialisers) {
  EXPECT_THAT(First(".global .u16 v[4] = {1, -2, 0x1234};").init,
              ElementsAre(1, 0, 0xfe, 0xff, 0x34, 0x12));
  EXPECT_THAT(First(".global .b8 v[2][3] = {{1, 2}, {3}};").init,
              ElementsAre(1, 2, 0, 3));
  EXPECT_THAT(First(".global .v2 .b8 v[2] = {{1, 2}, {3, 4}};").init,
              ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(First(".const .f32 v = 1.0;").init, ElementsAre(0, 0, 0x80, 0x3f));
  EXPECT_THAT(First(".global .b32 v = 0f3F800000;").init, ElementsAre(0, 0, 0x80, 0x3f));
  EXPECT_THAT(First(".global .u8 v = 300;").init, ElementsAre(44));
}

TEST(SymbolTest, AnInitialiserGivesTheLength) {
  const ir::Symbol symbol = First(".global .u16 v[] = {1, 2, 3};");
  EXPECT_EQ(symbol.size, 6u);
  EXPECT_EQ(First(".global .b8 v[][4] = {{1}, {2}};").size, 8u);
}

TEST(SymbolTest, AddressesInInitialisersAreRelocations) {
  const absl::StatusOr<ir::Program> program =
      Use(".global .b32 a[4];\n.func f() { ret; }\n"
          ".global .u64 v[4] = {a, generic(a) + 8, f, 5};",
          "v");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Symbol& v = program->symbols[0];
  ASSERT_EQ(v.relocations.size(), 3u);
  EXPECT_EQ(v.relocations[0].at, 0u);
  EXPECT_FALSE(v.relocations[0].function);
  EXPECT_FALSE(v.relocations[0].generic);
  EXPECT_EQ(program->symbols[v.relocations[0].index].name, "a");
  EXPECT_EQ(v.relocations[1].at, 8u);
  EXPECT_EQ(v.relocations[1].addend, 8);
  EXPECT_TRUE(v.relocations[1].generic);
  EXPECT_TRUE(v.relocations[2].function);
  EXPECT_EQ(program->functions[v.relocations[2].index].name, "f");
  ASSERT_EQ(v.init.size(), 32u);
  EXPECT_EQ(v.init[24], 5);
}

TEST(SymbolTest, InitialisersMayReferToEachOther) {
  const absl::StatusOr<ir::Program> program =
      Use(".extern .global .u64 b;\n.global .u64 v = b;\n.global .u64 b = v;", "v");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->symbols.size(), 2u);
  EXPECT_EQ(program->symbols[1].relocations[0].index, 0u);
  EXPECT_FALSE(program->symbols[1].is_extern);
}

TEST(SymbolTest, InitialiserErrors) {
  EXPECT_EQ(Error(".global .f32 v = 1;"),
            "line 4: variable 'v': an integer cannot be of type .f32");
  EXPECT_EQ(Error(".global .u32 v = 1.5;"),
            "line 4: variable 'v': a floating-point value cannot be of type .u32");
  EXPECT_EQ(Error(".global .b8 v[2] = {1, 2, 3};"),
            "line 4: variable 'v': its initialiser has 3 elements for 2");
  EXPECT_EQ(Error(".global .b8 v[2][2] = {1, 2};"),
            "line 4: variable 'v': its initialiser needs braces");
  EXPECT_EQ(Error(".global .u32 v = {5};"),
            "line 4: variable 'v': its initialiser has an element that is no value");
  EXPECT_EQ(Error(".global .u64 v = nowhere;"),
            "line 4: variable 'v': 'nowhere' is not declared");
  EXPECT_EQ(
      Error(".global .b32 a;\n.global .u32 v = a;"),
      "line 5: variable 'v': an address in an element of type .u32 is not supported");
  EXPECT_EQ(Error(".global .b32 a;\n.global .u8 v[1] = {0xFF(a)};"),
            "line 5: variable 'v': '0xFF(...)' of an address is not supported");
  EXPECT_EQ(Error(".shared .b8 a[4];\n.global .u64 v = a;"),
            "line 5: variable 'v': the address of 'a' in .shared is not known before a "
            "launch");
}

TEST(SymbolTest, SharedVariablesShareOneWindow) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".shared .b8 unused[1000];\n.shared .b8 a[5];\n"
      ".extern .shared .align 16 .b8 dynamic[];\n"
      ".visible .entry k() { .reg .b32 %r; .shared .align 8 .f64 b[2];\n"
      "mov.u32 %r, a; mov.u32 %r, b; mov.u32 %r, dynamic; mov.u32 %r, a; ret; }");
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ(program->symbols.size(), 3u);
  EXPECT_EQ(program->symbols[0].name, "b");
  EXPECT_EQ(program->symbols[0].offset, 0u);
  EXPECT_EQ(program->symbols[1].name, "a");
  EXPECT_EQ(program->symbols[1].offset, 16u);
  EXPECT_TRUE(program->symbols[2].dynamic_shared);
  EXPECT_EQ(program->static_shared_bytes, 21u);
  EXPECT_EQ(program->shared_alignment, 16u);
  EXPECT_TRUE(program->uses_dynamic_shared);
}

TEST(SymbolTest, LocalAndParamVariablesLiveInTheFunction) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".visible .entry k(.param .u32 a, .param .align 16 .b8 b[20], .param .u64 .ptr "
      ".global .align 4 c) {\n"
      ".local .b8 l[3]; .local .f64 m; .reg .b64 %rd; mov.u64 %rd, m;\n"
      "{ .param .b32 p; st.param.b32 [p], 1; } { .param .b64 q; st.param.b64 [q], 2; } "
      "}");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Function& k = program->functions[0];
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_EQ(k.parameters[1].offset, 16u);
  EXPECT_EQ(k.parameters[1].size, 20u);
  EXPECT_EQ(k.parameters[1].type, ir::Type::kB8);
  EXPECT_EQ(k.parameters[2].offset, 40u);
  EXPECT_TRUE(k.parameters[2].is_pointer);
  EXPECT_FALSE(k.parameters[0].is_pointer);
  ASSERT_EQ(k.symbols.size(), 7u);
  EXPECT_EQ(k.symbols[2].name, "c");
  EXPECT_EQ(k.symbols[4].space, ir::Space::kLocal);
  EXPECT_EQ(k.symbols[4].offset, 8u);
  EXPECT_EQ(k.local_bytes, 16u);
  // Slots of scopes beside each other share their place.
  EXPECT_EQ(k.symbols[5].offset, 48u);
  EXPECT_EQ(k.symbols[6].offset, 48u);
  EXPECT_EQ(k.param_bytes, 56u);
}

TEST(SymbolTest, DeclarationErrors) {
  EXPECT_EQ(
      Error(".global .align 3 .b8 v[2];"),
      "line 5: 'mov.u64': operand 2: variable 'v': alignment 3 is not a power of two "
      "up to 1048576");
  EXPECT_EQ(Error(".global .b8 v[];"),
            "line 5: 'mov.u64': operand 2: variable 'v' has no size");
  EXPECT_EQ(Error(".shared .b8 v[4] = {1};"),
            "line 5: 'mov.u64': operand 2: variable 'v' is in .shared and cannot have an "
            "initialiser");
  EXPECT_EQ(Error(".global .b8 v[2][];"),
            "line 5: 'mov.u64': operand 2: variable 'v': only the first dimension may be "
            "'[]'");
  EXPECT_EQ(
      Error(".global .texref v;"),
      "line 5: 'mov.u64': operand 2: variable 'v': type '.texref' is not supported");
  EXPECT_EQ(Error(".global .b8 v[-1];"),
            "line 5: 'mov.u64': operand 2: variable 'v': a size is an integer and not "
            "negative");
  EXPECT_EQ(Error(".global .b8 v; .global .b8 v;"),
            "line 4: 'v' is defined twice; first at line 4");
  EXPECT_EQ(Error(".global .b8 v; .func v() { ret; }"),
            "line 4: 'v' is defined twice; first at line 4");
}

TEST(SymbolTest, HostileSizes) {
  EXPECT_EQ(Error(".global .b8 v[0xFFFFFFFFFFFFFFFF][2];"),
            "line 5: 'mov.u64': operand 2: variable 'v': its size does not fit 63 bits");
  EXPECT_EQ(Error(".global .b64 v[0x1000000000000000];"),
            "line 5: 'mov.u64': operand 2: variable 'v': its size does not fit 63 bits");
  EXPECT_EQ(Error(".global .b8 v[300000000];"),
            "line 5: 'mov.u64': operand 2: variable 'v': .global and .const variables of "
            "300000000 bytes exceed the limit of 268435456");
  const std::string huge = ".shared .b8 v[0x7FFFFFFFFFFFFFFF];";
  EXPECT_EQ(First(huge).size, 0x7FFFFFFFFFFFFFFFu);
  const absl::StatusOr<ir::Program> two = LowerItems(
      ".visible .entry k() { .shared .b8 a[0x7FFFFFFFFFFFFFFF]; .shared .b8 b; ret; }");
  EXPECT_EQ(two.status().message(), "line 4: the variables' sizes do not fit 63 bits");
  const absl::StatusOr<ir::Program> local =
      LowerItems(".visible .entry k() { .local .b8 a[0x2000000]; ret; }");
  EXPECT_EQ(
      local.status().message(),
      "line 4: variable 'a': .local variables of 33554432 bytes exceed the limit of "
      "16777216");
  const absl::StatusOr<ir::Program> param =
      LowerItems(".visible .entry k(.param .b8 a[0x200000]) { ret; }");
  EXPECT_EQ(
      param.status().message(),
      "line 4: parameter 'a': .param variables of 2097152 bytes exceed the limit of "
      "1048576");
}

}  // namespace
}  // namespace thunky::ptx
