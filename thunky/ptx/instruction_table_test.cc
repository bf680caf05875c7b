#include "thunky/ptx/instruction_table.h"

#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/ptx/lowering_for_test.h"

namespace thunky::ptx {
namespace {

using ::testing::IsEmpty;

TEST(InstructionTableTest, RowsAreWellFormed) {
  EXPECT_THAT(FormTableErrors(), IsEmpty());
  EXPECT_GT(AllForms().size(), 200u);
}

// pack and unpack are movs whose operands are vectors: they have no rows.
TEST(InstructionTableTest, EveryOpHasARowAndAName) {
  std::set<ir::Op> in_table = {ir::Op::kPack, ir::Op::kUnpack};
  for (const Form* form : AllForms()) in_table.insert(form->op);
  std::set<std::string_view> names;
  for (int i = 0; i < ir::kOpCount; ++i) {
    const auto op = static_cast<ir::Op>(i);
    EXPECT_EQ(in_table.count(op), 1u) << "no row for op " << i;
    EXPECT_FALSE(ir::OpName(op).empty()) << "no name for op " << i;
    EXPECT_TRUE(names.insert(ir::OpName(op)).second)
        << ir::OpName(op) << " is used twice";
  }
}

TEST(InstructionTableTest, EveryTypeHasAName) {
  std::set<std::string_view> names;
  for (int i = 1; i < ir::kTypeCount; ++i) {
    const auto type = static_cast<ir::Type>(i);
    EXPECT_TRUE(names.insert(ir::TypeName(type)).second) << i;
    EXPECT_EQ(ir::TypeFromName(ir::TypeName(type)), type);
    EXPECT_GT(ir::BitWidth(type), 0);
  }
  EXPECT_EQ(ir::TypeFromName("b7"), ir::Type::kNone);
  EXPECT_EQ(ir::TypeFromName(""), ir::Type::kNone);
}

TEST(InstructionTableTest, UnknownInstruction) {
  EXPECT_EQ(LowerOne("foo.bar.b32 %r1;"), "unknown instruction 'foo.bar.b32'");
  EXPECT_EQ(LowerOne("tex.1d.v4.f32.s32 %r1;"),
            "unknown instruction 'tex.1d.v4.f32.s32'");
}

TEST(InstructionTableTest, UnknownModifier) {
  EXPECT_EQ(LowerOne("add.foo.f32 %f1, %f2, %f3;"),
            "'add.foo.f32': modifier '.foo' is not known for add");
  EXPECT_EQ(LowerOne("ld.global.v3.f32 %f1, [%rd1];"),
            "'ld.global.v3.f32': modifier '.v3' is not known for ld");
  EXPECT_EQ(LowerOne("cp.async.bulk.shared.global [%r1], [%rd1], 16;"),
            "'cp.async.bulk.shared.global': modifier '.bulk' is not known for cp");
}

TEST(InstructionTableTest, UnknownType) {
  EXPECT_EQ(LowerOne("add.b32 %r1, %r2, %r3;"),
            "'add.b32': type '.b32' is not known for add");
  EXPECT_EQ(LowerOne("shl.s32 %r1, %r2, %r3;"),
            "'shl.s32': type '.s32' is not known for shl");
}

TEST(InstructionTableTest, UnknownCombination) {
  EXPECT_EQ(
      LowerOne("add.sat.u32 %r1, %r2, %r3;"),
      "'add.sat.u32': this combination of modifiers and types is not known for add");
  EXPECT_EQ(LowerOne("mul.wide.s64 %rd1, %rd2, %rd3;"),
            "'mul.wide.s64': this combination of modifiers and types is not known for "
            "mul");
}

TEST(InstructionTableTest, ConflictingModifiers) {
  EXPECT_EQ(LowerOne("add.rn.rz.f32 %f1, %f2, %f3;"),
            "'add.rn.rz.f32': modifiers '.rn' and '.rz' exclude each other");
  EXPECT_EQ(LowerOne("add.ftz.ftz.f32 %f1, %f2, %f3;"),
            "'add.ftz.ftz.f32': modifier '.ftz' is given twice");
  EXPECT_EQ(
      LowerOne("ld.global.shared.f32 %f1, [%rd1];"),
      "'ld.global.shared.f32': modifiers '.global' and '.shared' exclude each other");
}

TEST(InstructionTableTest, MissingModifiersAndTypes) {
  EXPECT_EQ(LowerOne("fma.f32 %f1, %f2, %f3, %f4;"),
            "'fma.f32': one of '.rn', '.rz', '.rm', '.rp' is missing");
  EXPECT_EQ(LowerOne("ex2.f32 %f1, %f2;"), "'ex2.f32': modifier '.approx' is missing");
  EXPECT_EQ(LowerOne("mul.s32 %r1, %r2, %r3;"),
            "'mul.s32': one of '.lo', '.hi' is missing");
  EXPECT_EQ(LowerOne("add %r1, %r2, %r3;"), "'add': a type is missing");
  EXPECT_EQ(LowerOne("cvt.u32 %r1, %r2;"), "'cvt.u32': a type is missing");
}

TEST(InstructionTableTest, DotsInAnyOrder) {
  EXPECT_EQ(LowerOne("add.f32.ftz.rn %f1, %f2, %f3;"),
            LowerOne("add.rn.ftz.f32 %f1, %f2, %f3;"));
  EXPECT_EQ(LowerOne("ld.v2.nc.global.f32 {%f1, %f2}, [%rd1];"),
            LowerOne("ld.global.nc.v2.f32 {%f1, %f2}, [%rd1];"));
}

}  // namespace
}  // namespace thunky::ptx
