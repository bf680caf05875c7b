// Dynamic slice fusions: offsets by iteration and by parameters.
#include <string>
#include <utility>
#include <vector>

#include "test/programs/program_builder.h"
#include "test/programs/step_kernels.h"
#include "test/programs/test_program.h"

namespace thunky::program_tests {
namespace {

constexpr int64_t kRows = 4;
constexpr int64_t kColumns = 3;
constexpr int64_t kRowBytes = kColumns * 4;
// What Bytes(n, 0xAA) holds.
constexpr int32_t kUntouched = -0x55555556;

// 10 * row + column.
std::vector<int32_t> Matrix() {
  std::vector<int32_t> values;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) values.push_back(10 * row + column);
  }
  return values;
}

Ref Local(int64_t allocation, const Dims& dims) {
  return {.allocation = allocation, .type = wire::S32, .dims = dims};
}

SlicePart RowByIteration(int64_t loop, int64_t offset, int64_t stride) {
  return {.dims = {1, kColumns}, .iteration = IterationOffset{loop, offset, stride}};
}

SlicePart RowAt(OffsetExpr start) {
  return {.dims = {1, kColumns}, .starts = {std::move(start), ConstantOffset(0)}};
}

// Embedded: the result is the input plus `amount`.
Thunks AddRow(int32_t amount) {
  return {AddEach(Local(0, {1, kColumns}), Local(1, {1, kColumns}), amount)};
}

// Row i goes to row 3 - i, plus 100.
TestProgram RowsByIteration() {
  ProgramBuilder b("rows_by_iteration");
  const Ref in = b.AddParameter("in", wire::S32, {kRows, kColumns});
  const Ref out = b.AddResult(wire::S32, {kRows, kColumns});
  const Ref predicate = b.AddTemp(wire::PRED, {});
  b.Add(While(predicate, {},
              {DynamicSliceFusion(
                  {.parameters = {in},
                   .inputs = {{0, RowByIteration(0, 0, kRowBytes)}},
                   .results = {{out, RowByIteration(0, 3 * kRowBytes, -kRowBytes), {}}},
                   .embedded = AddRow(100)})},
              kRows));
  return {.name = "rows_by_iteration",
          .proto = b.Build(),
          .arguments = {I32(Matrix()), Bytes(48, 0xAA)},
          .expected = {I32(Matrix()), I32({130, 131, 132, 120, 121, 122, 110, 111, 112,
                                           100, 101, 102})}};
}

// The inner loop writes row `inner`, both times what it reads at row `outer`: both
// rows end as the last outer iteration's. Loop 0 is the innermost.
TestProgram RowsByTwoLoops() {
  ProgramBuilder b("rows_by_two_loops");
  const Ref in = b.AddParameter("in", wire::S32, {kRows, kColumns});
  const Ref out = b.AddResult(wire::S32, {2, kColumns});
  const Ref predicate = b.AddTemp(wire::PRED, {});
  b.Add(While(
      predicate, {},
      {While(predicate, {},
             {DynamicSliceFusion({.parameters = {in},
                                  .inputs = {{0, RowByIteration(1, 0, kRowBytes)}},
                                  .results = {{out, RowByIteration(0, 0, kRowBytes), {}}},
                                  .embedded = AddRow(0)})},
             2)},
      3));
  return {.name = "rows_by_two_loops",
          .proto = b.Build(),
          .arguments = {I32(Matrix()), Bytes(24, 0xAA)},
          .expected = {I32(Matrix()), I32({20, 21, 22, 20, 21, 22})}};
}

// Iterations count in an async body too.
TestProgram RowsByIterationInAnAsyncBody() {
  ProgramBuilder b("rows_by_iteration_in_an_async_body");
  const Ref in = b.AddParameter("in", wire::S32, {kRows, kColumns});
  b.AddAliasedResult(in, 0);
  const Ref predicate = b.AddTemp(wire::PRED, {});
  const auto fusion =
      DynamicSliceFusion({.parameters = {in},
                          .inputs = {{0, RowByIteration(0, 0, kRowBytes)}},
                          .results = {{in, RowByIteration(0, kRowBytes, kRowBytes), 0}},
                          .embedded = AddRow(1)});
  b.Add(While(predicate, {},
              {AsyncStart(1, StreamKind::kComputation, 1, {fusion}), AsyncDone(1)},
              kRows - 1));
  return {.name = "rows_by_iteration_in_an_async_body",
          .proto = b.Build(),
          .arguments = {I32(Matrix())},
          .expected = {I32({0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5})}};
}

// The fifth iteration would leave the buffer: it stays on the last row.
TestProgram IterationPastTheEnd() {
  ProgramBuilder b("iteration_past_the_end");
  const Ref in = b.AddParameter("in", wire::S32, {kRows, kColumns});
  const Ref out = b.AddResult(wire::S32, {kRows, kColumns});
  const Ref predicate = b.AddTemp(wire::PRED, {});
  b.Add(While(predicate, {},
              {DynamicSliceFusion({.parameters = {in},
                                   .inputs = {{0, RowByIteration(0, 0, kRowBytes)}},
                                   .results = {{out, RowByIteration(0, 0, 0), {}}},
                                   .embedded = AddRow(0)})},
              kRows + 1));
  return {.name = "iteration_past_the_end",
          .proto = b.Build(),
          .arguments = {I32(Matrix()), Bytes(48, 0xAA)},
          .expected = {I32(Matrix()), I32({30, 31, 32, kUntouched, kUntouched, kUntouched,
                                           kUntouched, kUntouched, kUntouched, kUntouched,
                                           kUntouched, kUntouched})}};
}

// Starts inside, past the end and before the beginning; the last two are clamped.
TestProgram ParameterOffsetsAreClamped() {
  ProgramBuilder b("parameter_offsets_are_clamped");
  const Ref in = b.AddParameter("in", wire::S32, {kRows, kColumns});
  const Ref starts = b.AddParameter("starts", wire::S32, {3});
  const Ref out = b.AddResult(wire::S32, {3, kColumns});
  for (int64_t i = 0; i < 3; ++i) {
    Ref row = out.Elements(i * kColumns, kColumns);
    row.dims = {1, kColumns};
    Ref start = starts.Elements(i, 1);
    start.dims = {};
    b.Add(DynamicSliceFusion({.parameters = {in, start},
                              .inputs = {{0, RowAt(ParameterOffset(1))}},
                              .results = {{row, {.dims = {1, kColumns}}, {}}},
                              .embedded = AddRow(0)}));
  }
  return {.name = "parameter_offsets_are_clamped",
          .proto = b.Build(),
          .arguments = {I32(Matrix()), I32({2, 100, -5}), Bytes(36, 0xAA)},
          .expected = {I32(Matrix()), I32({2, 100, -5}),
                       I32({20, 21, 22, 30, 31, 32, 0, 1, 2})}};
}

// start < 0 ? start + rows : start, as Python counts; an i64 start.
TestProgram OffsetExpression() {
  using Expr = OffsetExpr;
  const Expr start = ParameterOffset(1);
  const Expr wrapped = CombinedOffset(
      Expr::SELECT, {ComparedOffset(Expr::LT, start, ConstantOffset(0)),
                     CombinedOffset(Expr::ADD, {start, ConstantOffset(kRows)}), start});
  ProgramBuilder b("offset_expression");
  const Ref in = b.AddParameter("in", wire::S32, {kRows, kColumns});
  const Ref index = b.AddParameter("start", wire::S64, {});
  const Ref out = b.AddResult(wire::S32, {1, kColumns});
  b.Add(DynamicSliceFusion({.parameters = {in, index},
                            .inputs = {{0, RowAt(wrapped)}},
                            .results = {{out, {.dims = {1, kColumns}}, {}}},
                            .embedded = AddRow(7)}));
  const Bytes minus_two = ToBytes(std::vector<int64_t>{-2});
  return {.name = "offset_expression",
          .proto = b.Build(),
          .arguments = {I32(Matrix()), minus_two, Bytes(12, 0xAA)},
          .expected = {I32(Matrix()), minus_two, I32({27, 28, 29})}};
}

// An update in place at a start from memory; the rest of the buffer stays.
TestProgram UpdateInPlace() {
  ProgramBuilder b("update_in_place");
  const Ref matrix = b.AddParameter("matrix", wire::S32, {kRows, kColumns});
  const Ref start = b.AddParameter("start", wire::S32, {});
  const Ref row = b.AddParameter("row", wire::S32, {1, kColumns});
  b.AddAliasedResult(matrix, 0);
  b.Add(DynamicSliceFusion(
      {.parameters = {matrix, start, row},
       .inputs = {{2, {.dims = {1, kColumns}}}},
       .results = {{matrix, RowAt(ParameterOffset(1)), 0}},
       .embedded = {Copy(Local(0, {1, kColumns}), Local(1, {1, kColumns}))}}));
  return {.name = "update_in_place",
          .proto = b.Build(),
          .arguments = {I32(Matrix()), I32({1}), I32({7, 8, 9})},
          .expected = {I32({0, 1, 2, 7, 8, 9, 20, 21, 22, 30, 31, 32}), I32({1}),
                       I32({7, 8, 9})}};
}

}  // namespace

std::vector<TestProgram> SlicePrograms() {
  return {RowsByIteration(),
          RowsByTwoLoops(),
          RowsByIterationInAnAsyncBody(),
          IterationPastTheEnd(),
          ParameterOffsetsAreClamped(),
          OffsetExpression(),
          UpdateInPlace()};
}

}  // namespace thunky::program_tests
