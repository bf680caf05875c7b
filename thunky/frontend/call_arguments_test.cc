// Parameters and results of executables in programs: rule 12.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/frontend/test_programs.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Spec8Rule12, TheSameViewTwiceIsOneParameter) {
  const Program saxpy = fixture_program("saxpy");
  const Program program =
      jit([&](Ref x, Ref out) { copy(call(saxpy, {2.0f, x, x})[0], out); },
          {kVector, kVector});
  const Array out = zeros(kVector);
  run(program, {array_of(counting(4096)), out});
  EXPECT_EQ(out.to_vector<float>()[100], 300.0f);
  // Nothing is copied on the way in.
  EXPECT_EQ(count(program.module_text(), "thunky.copy"), 1u);
}

TEST(Spec8Rule12, ViewsThatAreOnlyReadMayOverlap) {
  const Program saxpy = fixture_program("saxpy");
  const Program program = jit(
      [&](Ref x, Ref out) {
        copy(call(saxpy, {2.0f, x[slice(0, 4096)], x[slice(4, 4100)]})[0], out);
      },
      {f32(4100), kVector});
  const Array out = zeros(kVector);
  run(program, {array_of(counting(4100)), out});
  EXPECT_EQ(out.to_vector<float>()[100], 200.0f + 104.0f);
}

TEST(Spec8Rule12, OverlappingViewsOfWhichOneIsWrittenAreAnErrorNamingBoth) {
  const Program donate = fixture_program("donate");
  jit(
      [&](Ref x) {
        const auto error =
            error_of([&] { call(donate, {x[slice(0, 256)], x[slice(128, 384)]}); });
        ASSERT_TRUE(error);
        EXPECT_EQ(error->code(), ErrorCode::invalid_argument);
        EXPECT_THAT(error->message(),
                    AllOf(HasSubstr("argument 0 'p0' (f32[256]) of program"),
                          HasSubstr("argument 1 'p1' (f32[256]) of program"),
                          HasSubstr("at bytes [0, 1024)"),
                          HasSubstr("at bytes [512, 1536)"), HasSubstr("is written")));
      },
      {f32(384)});
}

TEST(Spec8Rule12, AResultInAParametersMemoryComesBackAsThatRef) {
  const Program donate = fixture_program("donate");
  const Program program = jit(
      [&](Ref x, Ref y) {
        const std::vector<Ref> results = call(donate, {x[slice(0, 256)], y});
        ASSERT_EQ(results.size(), 1u);
        EXPECT_TRUE(results[0].same_root(x));
        EXPECT_EQ(results[0].byte_offset(), 0);
        EXPECT_EQ(results[0].type(), f32(256));
      },
      {f32(512), f32(256)});
  EXPECT_TRUE(program.arguments()[0].effect.written);
  EXPECT_TRUE(program.arguments()[0].effect.read);
  EXPECT_FALSE(program.arguments()[1].effect.written);
  const Array x = array_of(std::vector<float>(512, 1));
  run(program, {x, array_of(counting(256))});
  const std::vector<float> values = x.to_vector<float>();
  EXPECT_EQ(values[10], 21.0f);
  EXPECT_EQ(values[255], 511.0f);
  EXPECT_EQ(values[256], 1.0f);
}

TEST(Spec8Rule12, HostDataForAParameterThatIsWrittenIsAnError) {
  const Program donate = fixture_program("donate");
  const std::vector<float> values(256);
  jit(
      [&](Ref y) {
        EXPECT_INVALID(call(donate, {host(values), y}),
                       "argument 0 'p0' (f32[256]) of program 'jit__lambda' is written, "
                       "and is given host data; a ref is needed");
        call(donate, {y, host(values)});
      },
      {f32(256)});
}

TEST(Spec8Rule12, OneRefAsAWrittenParameterAndAnotherGoesThroughScratch) {
  const Program donate = fixture_program("donate");
  const Program program = jit([&](Ref x) { call(donate, {x, x}); }, {f32(256)});
  EXPECT_EQ(count(program.module_text(), "thunky.copy"), 1u);
  const Array x = array_of(counting(256));
  run(program, {x});
  EXPECT_EQ(x.to_vector<float>()[100], 300.0f);
}

TEST(Spec8Rule12, AnotherTypeIsAnErrorNamingTheParameter) {
  const Program saxpy = fixture_program("saxpy");
  jit(
      [&](Ref x) {
        EXPECT_INVALID(call(saxpy, {2.0, x, x}),
                       "argument 0 'p0' (f32[]) of program 'jit__lambda' is given f64[]");
        EXPECT_INVALID(call(saxpy, {2.0f, x[slice(0, 8)], x}),
                       "argument 1 'p1' (f32[4096]) of program 'jit__lambda' is given "
                       "f32[8]");
        EXPECT_INVALID(call(saxpy, {2.0f, x, x.bitcast(i32)}),
                       "argument 2 'p2' (f32[4096]) of program 'jit__lambda' is given "
                       "s32[4096]");
        EXPECT_INVALID(call(saxpy, {2.0f, x, x.reshape({64, 64})}), "f32[64,64]");
      },
      {kVector});
}

TEST(Spec8Rule12, AnotherNumberOfArgumentsIsAnErrorListingTheParameters) {
  const Program saxpy = fixture_program("saxpy");
  jit(
      [&](Ref x) {
        EXPECT_INVALID(
            call(saxpy, {2.0f, x}),
            "call of program 'jit__lambda' with 2 arguments for 3 "
            "parameters:\n  0 'p0' (f32[])\n  1 'p1' (f32[4096])\n  2 'p2' (f32[4096])");
        EXPECT_INVALID(call(saxpy, {}), "with 0 arguments for 3 parameters");
      },
      {kVector});
}

TEST(Spec8Rule12, AParameterThatIsNotAlignedGoesThroughScratch) {
  // x[1:257] begins at byte 4.
  const Program saxpy = fixture_program("saxpy");
  const Program donate = fixture_program("donate");
  const Program program = jit(
      [&](Ref x, Ref out) {
        copy(call(saxpy, {2.0f, x[slice(1, 4097)], x[slice(4, 4100)]})[0], out);
      },
      {f32(4100), kVector});
  EXPECT_EQ(count(program.module_text(), "thunky.copy"), 2u);
  const Array out = zeros(kVector);
  run(program, {array_of(counting(4100)), out});
  EXPECT_EQ(out.to_vector<float>()[100], 202.0f + 104.0f);

  // A written one comes back, and nothing beside it is touched.
  const Program in_place = jit([&](Ref x, Ref y) { call(donate, {x[slice(1, 257)], y}); },
                               {f32(260), f32(256)});
  const Array x = array_of(std::vector<float>(260, 1));
  run(in_place, {x, array_of(counting(256))});
  const std::vector<float> values = x.to_vector<float>();
  EXPECT_EQ(values[0], 1.0f);
  EXPECT_EQ(values[1], 1.0f);
  EXPECT_EQ(values[11], 21.0f);
  EXPECT_EQ(values[256], 511.0f);
  EXPECT_EQ(values[257], 1.0f);
}

TEST(Spec8Rule12, ANamedOutputIsWrittenWhereItIs) {
  const Program saxpy = fixture_program("saxpy");
  const Program program = jit(
      [&](Ref x, Ref out) {
        const std::vector<Ref> results =
            call(saxpy, {2.0f, x, x}, {.outputs = {out[slice(64, 4160)]}});
        ASSERT_EQ(results.size(), 1u);
        EXPECT_TRUE(results[0].same_root(out));
        EXPECT_EQ(results[0].byte_offset(), 256);
      },
      {kVector, f32(4200)});
  EXPECT_EQ(program.arguments().size(), 2u);
  EXPECT_THAT(program.module_text(), Not(HasSubstr("thunky.copy")));
  EXPECT_TRUE(program.arguments()[1].effect.written);
  const Array out = array_of(std::vector<float>(4200, -1));
  run(program, {array_of(counting(4096)), out});
  const std::vector<float> values = out.to_vector<float>();
  EXPECT_EQ(values[63], -1.0f);
  EXPECT_EQ(values[64 + 100], 300.0f);
  EXPECT_EQ(values[4160], -1.0f);
}

TEST(Spec8Rule12, ANamedOutputThatIsNotAlignedGoesThroughScratch) {
  const Program saxpy = fixture_program("saxpy");
  const Program program = jit(
      [&](Ref x, Ref out) {
        const std::vector<Ref> results =
            call(saxpy, {2.0f, x, x}, {.outputs = {out[slice(4, 4100)]}});
        EXPECT_EQ(results[0].byte_offset(), 16);
      },
      {kVector, f32(4200)});
  EXPECT_EQ(count(program.module_text(), "thunky.copy"), 1u);
  const Array out = array_of(std::vector<float>(4200, -1));
  run(program, {array_of(counting(4096)), out});
  const std::vector<float> values = out.to_vector<float>();
  EXPECT_EQ(values[3], -1.0f);
  EXPECT_EQ(values[4 + 100], 300.0f);
  EXPECT_EQ(values[4100], -1.0f);
}

TEST(Spec8Rule12, AnOutputMayBeAnArgumentToo) {
  const Program saxpy = fixture_program("saxpy");
  const Program program =
      jit([&](Ref x) { call(saxpy, {2.0f, x, x}, {.outputs = {x}}); }, {kVector});
  // What the program reads must not change under it.
  EXPECT_EQ(count(program.module_text(), "thunky.copy"), 1u);
  const Array x = array_of(counting(4096));
  run(program, {x});
  EXPECT_EQ(x.to_vector<float>()[100], 300.0f);
}

TEST(Spec8Rule12, SomeOutputsMayBeNamed) {
  const Program collatz = fixture_program("while_collatz");
  const Program program = jit(
      [&](Ref n, Ref steps, Ref last) {
        const std::vector<Ref> results =
            call(collatz, {n}, {.outputs = {std::nullopt, steps}});
        EXPECT_TRUE(results[1].same_root(steps));
        copy(results[0], last);
      },
      {i32, i32, i32});
  const Array steps = zeros(i32);
  const Array last = zeros(i32);
  run(program, {int32_t{27}, steps, last});
  EXPECT_EQ(steps.item<int32_t>(), 111);
  EXPECT_EQ(last.item<int32_t>(), 1);
}

TEST(Spec8Rule12, OutputsThatDoNotFitAreErrors) {
  const Program saxpy = fixture_program("saxpy");
  const Program donate = fixture_program("donate");
  const Program collatz = fixture_program("while_collatz");
  jit(
      [&](Ref x, Ref y, Ref n) {
        EXPECT_INVALID(call(saxpy, {2.0f, x, x}, {.outputs = {y}}),
                       "call of program 'jit__lambda': result 0 is f32[4096], and its "
                       "output f32[256]");
        EXPECT_INVALID(call(saxpy, {2.0f, x, x}, {.outputs = {x, x}}),
                       "2 outputs are named for 1 results");
        EXPECT_INVALID(call(donate, {y, y}, {.outputs = {y}}),
                       "result 0 takes the memory of argument 0 'p0' (f32[256])");
        EXPECT_INVALID(call(collatz, {1}, {.outputs = {n, n}}), "overlaps the output");
      },
      {kVector, f32(256), i32});
}

TEST(Spec8Rule12, AConstantThatWouldBeWrittenIsAnErrorOfThatCall) {
  const Program saxpy = fixture_program("saxpy");
  const Program donate = fixture_program("donate");
  jit(
      [&](Ref x) {
        const Ref fixed = constant(std::vector<float>(4096));
        EXPECT_INVALID(call(saxpy, {2.0f, x, x}, {.outputs = {fixed}}),
                       ": result 0 is written, and is given a constant; constants are "
                       "read only");
        const Ref part = fixed[slice(0, 256)];
        EXPECT_INVALID(call(donate, {part, x[slice(0, 256)]}),
                       "argument 0 'p0' (f32[256]) of program");
        EXPECT_INVALID(call(donate, {part, x[slice(0, 256)]}),
                       "is written, and is given a constant; constants are read only");
      },
      {kVector});
}

TEST(Spec8Rule12, ArgumentsAreInTheOrderOfTheParametersNumbers) {
  const Program swapped = Program::from_bytes(R"(module @swapped {
  func.func @main(
      %a: !thunky.buffer<16> {thunky.parameter = 1 : i64, thunky.type = tensor<4xf32>},
      %b: !thunky.buffer<4> {thunky.parameter = 0 : i64, thunky.type = tensor<f32>},
      %c: !thunky.buffer<16> {thunky.results = [array<i64>],
                              thunky.type = tensor<4xf32>}) {
    thunky.copy %a -> %c : <16>, <16>
    return
  }
})",
                                              "swapped.mlir");
  const Program program = jit(
      [&](Ref x, Ref out) {
        EXPECT_INVALID(call(swapped, {x, 1.0f}), "(f32[]) of program 'swapped'");
        call(swapped, {1.0f, x}, {.outputs = {out}});
      },
      {f32(4), f32(4)});
  const Array out = zeros(f32(4));
  run(program, {array_of(counting(4)), out});
  EXPECT_EQ(out.to_vector<float>(), counting(4));
}

TEST(Spec8Rule12, AViewOfNoBytesOverlapsNothing) {
  const Program program = Program::from_bytes(R"(module @fill {
  func.func @main(
      %a: !thunky.buffer<0> {thunky.parameter = 0 : i64, thunky.type = tensor<0xf32>},
      %b: !thunky.buffer<16> {thunky.parameter = 1 : i64, thunky.type = tensor<4xi32>,
                              thunky.results = [array<i64>], thunky.alias = "must"}) {
    thunky.memset32 %b, 7 : <16>
    return
  }
})",
                                              "fill.mlir");
  const Program caller =
      jit([&](Ref x) { call(program, {x[slice(2, 2)].bitcast(f32), x}); }, {i32(4)});
  const Array x = zeros(i32(4));
  run(caller, {x});
  EXPECT_EQ(x.to_vector<int32_t>(), std::vector<int32_t>(4, 7));
}

TEST(Spec8Rule12, BareBytesTakeAnyTypeOfTheirSize) {
  const Program program = Program::from_bytes(R"(module @bare {
  func.func @main(
      %a: !thunky.buffer<16> {thunky.parameter = 0 : i64},
      %b: !thunky.buffer<16> {thunky.results = [array<i64>]}) {
    thunky.copy %a -> %b : <16>, <16>
    return
  }
})",
                                              "bare.mlir");
  jit(
      [&](Ref x, Ref y, Ref small) {
        EXPECT_EQ(call(program, {x}, {.outputs = {y}})[0].type(), y.type());
        EXPECT_EQ(call(program, {y})[0].type(), u8(16));
        EXPECT_INVALID(call(program, {small}),
                       "(u8[16]) of program 'bare' is given f32[2]");
        EXPECT_INVALID(call(program, {x}, {.outputs = {small}}),
                       "result 0 is u8[16], and its output f32[2]");
      },
      {f32(4), i64(2), f32(2)});
}

}  // namespace
}  // namespace thunky
