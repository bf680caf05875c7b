#include "thunky/schema/dynamic_slice.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

absl::StatusOr<int64_t> Offset(const std::string& config,
                               const std::vector<int64_t>& iterations) {
  return WindowOffset(Parse<wire::DynamicSliceConfig>(config), iterations, 1000, 100);
}

TEST(WindowOffsetTest, LoopZeroIsTheInnermost) {
  const std::vector<int64_t> iterations = {7, 3};  // outermost first
  EXPECT_EQ(*Offset("loop_index: 0 byte_stride: 10", iterations), 30);
  EXPECT_EQ(*Offset("loop_index: 1 byte_stride: 10", iterations), 70);
  EXPECT_EQ(*Offset("loop_index: 0 byte_offset: 5 byte_stride: 10", iterations), 35);
  EXPECT_THAT(Offset("loop_index: 2", iterations).status(),
              FailsWith("loop_index is 2 inside 2 loops"));
  EXPECT_THAT(Offset("loop_index: -1", iterations).status(),
              FailsWith("loop_index is -1"));
}

TEST(WindowOffsetTest, WithoutALoopTheStrideDoesNotCount) {
  EXPECT_EQ(*Offset("byte_offset: 5 byte_stride: 10", {7}), 5);
  EXPECT_EQ(*Offset("", {}), 0);
}

TEST(WindowOffsetTest, MovesIntoTheBuffer) {
  EXPECT_EQ(*Offset("loop_index: 0 byte_stride: 400", {9}), 900);
  EXPECT_EQ(*Offset("byte_offset: -5", {}), 0);
  const int64_t max = std::numeric_limits<int64_t>::max();
  const std::string huge =
      absl::StrCat("loop_index: 0 byte_offset: ", max, " byte_stride: ", max);
  EXPECT_EQ(*Offset(huge, {max}), 900);
  EXPECT_EQ(*Offset(huge, {std::numeric_limits<int64_t>::min()}), 0);
}

absl::StatusOr<int64_t> Value(const std::string& text) {
  return EvaluateOffsetExpr(Parse<OffsetExprProto>(text),
                            [](int64_t number) -> absl::StatusOr<int64_t> {
                              if (number == 9) return absl::NotFoundError("no 9");
                              return number * 100;
                            });
}

std::string Binary(const std::string& kind, int64_t a, int64_t b) {
  return absl::StrCat("kind: ", kind, " operands { kind: CONSTANT value: ", a,
                      " } operands { kind: CONSTANT value: ", b, " }");
}

TEST(OffsetExprTest, EvaluatesEveryKind) {
  EXPECT_EQ(*Value("kind: CONSTANT value: -3"), -3);
  EXPECT_EQ(*Value("kind: PARAMETER value: 2"), 200);
  EXPECT_EQ(*Value(Binary("ADD", 5, 7)), 12);
  EXPECT_EQ(*Value(Binary("SUBTRACT", 5, 7)), -2);
  EXPECT_EQ(*Value(Binary("MULTIPLY", 5, 7)), 35);
  for (const int64_t flag : {0, 1, -1}) {
    EXPECT_EQ(*Value(absl::StrCat("kind: SELECT operands { kind: CONSTANT value: ", flag,
                                  " } operands { kind: CONSTANT value: 10 } "
                                  "operands { kind: CONSTANT value: 20 }")),
              flag != 0 ? 10 : 20);
  }
}

TEST(OffsetExprTest, Compares) {
  const auto compare = [](const std::string& direction, int64_t a, int64_t b) {
    return *Value(
        absl::StrCat("compare_direction: ", direction, " ", Binary("COMPARE", a, b)));
  };
  EXPECT_EQ(compare("EQ", 1, 1), 1);
  EXPECT_EQ(compare("EQ", 1, 2), 0);
  EXPECT_EQ(compare("NE", 1, 2), 1);
  EXPECT_EQ(compare("NE", 1, 1), 0);
  EXPECT_EQ(compare("GE", 1, 1), 1);
  EXPECT_EQ(compare("GE", 0, 1), 0);
  EXPECT_EQ(compare("GT", 2, 1), 1);
  EXPECT_EQ(compare("GT", 1, 1), 0);
  EXPECT_EQ(compare("LE", 1, 1), 1);
  EXPECT_EQ(compare("LE", 2, 1), 0);
  EXPECT_EQ(compare("LT", 1, 2), 1);
  EXPECT_EQ(compare("LT", 1, 1), 0);
}

TEST(OffsetExprTest, ArithmeticWraps) {
  const int64_t max = std::numeric_limits<int64_t>::max();
  const int64_t min = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(*Value(Binary("ADD", max, 1)), min);
  EXPECT_EQ(*Value(Binary("SUBTRACT", min, 1)), max);
  EXPECT_EQ(*Value(Binary("MULTIPLY", max, 2)), -2);
}

TEST(OffsetExprTest, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(Value("").status(), FailsWith("has kind 0"));
  EXPECT_THAT(Value("kind: ADD operands { kind: CONSTANT }").status(),
              FailsWith("ADD has 1 operands; it takes 2"));
  EXPECT_THAT(Value(Binary("COMPARE", 1, 2)).status(),
              FailsWith("compares in direction 0"));
  EXPECT_THAT(Value("kind: PARAMETER value: 9").status(), FailsWith("no 9"));
  OffsetExprProto deep;
  OffsetExprProto* at = &deep;
  for (int i = 0; i <= kMaxOffsetDepth; ++i) {
    at->set_kind(OffsetExprProto::ADD);
    OffsetExprProto* next = at->add_operands();
    at->add_operands()->set_kind(OffsetExprProto::CONSTANT);
    at = next;
  }
  at->set_kind(OffsetExprProto::CONSTANT);
  EXPECT_THAT(CheckOffsetExpr(deep, [](int64_t) { return absl::OkStatus(); }),
              FailsWith("nested deeper"));
}

TEST(WindowOffsetTest, OffsetsAreStartIndices) {
  const auto shape = Parse<wire::ShapeProto>(
      "element_type: F32 dimensions: [4, 5] layout { minor_to_major: [1, 0] }");
  const auto window = Parse<wire::ShapeProto>("element_type: F32 dimensions: [1, 5]");
  const auto at = [&](int64_t row) {
    const auto list = Parse<wire::DynamicSliceFusionThunkProto::ParameterProto>(
        absl::StrCat("slice_offsets { offset { kind: CONSTANT value: ", row,
                     " } } slice_offsets { dimension_number: 1 "
                     "offset { kind: CONSTANT value: 2 } }"));
    return *WindowOffset(list.slice_offsets(), shape, window,
                         [](int64_t) -> absl::StatusOr<int64_t> { return 0; });
  };
  EXPECT_EQ(at(0), 0);  // the second dimension is whole, so its start moves to 0
  EXPECT_EQ(at(2), 40);
  EXPECT_EQ(at(7), 60);
  EXPECT_EQ(at(-1), 0);
}

}  // namespace
}  // namespace thunky::schema
