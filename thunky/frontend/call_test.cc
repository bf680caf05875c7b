// Executables in programs: spec section 4, rules 10 to 12. What JAX compiled comes from
// test/fixtures: saxpy is p0 * p1 + p2; donate adds 2 * p1 to p0, in place;
// while_collatz gives (1, number of steps) of p0.
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/frontend/fixture_programs.h"
#include "thunky/frontend/test_kernels.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const Type kVector = f32(4096);

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// begin, begin + 1, ...
std::vector<float> counting(size_t size, float begin = 0) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), begin);
  return values;
}

Array array_of(const std::vector<float>& values) {
  return Array::from(Device::host(), values);
}

Array zeros(const Type& type) { return Array::zeros(Device::host(), type); }

// Without the warnings: programs of tests write what they do not read.
void run(const Program& program, std::initializer_list<Argument> arguments) {
  program.compile(Device::host(), {.on_warning = [](const Finding&) {}}).run(arguments);
}

TEST(Spec4Call, ParametersMapToRefsAndResultsComeBackAsScratch) {
  const Program saxpy = fixture_program("saxpy");
  const Program program = jit(
      [&](Ref a, Ref x, Ref y, Ref out) {
        const std::vector<Ref> results = call(saxpy, {a, x, y});
        ASSERT_EQ(results.size(), 1u);
        EXPECT_EQ(results[0].type(), kVector);
        EXPECT_FALSE(results[0].same_root(out));
        copy(results[0], out);
      },
      {f32, kVector, kVector, kVector});
  ASSERT_EQ(program.arguments().size(), 5u);
  EXPECT_TRUE(program.arguments()[4].scratch);
  const Array out = zeros(kVector);
  run(program, {3.0f, array_of(counting(4096)), array_of(counting(4096, 7)), out});
  const std::vector<float> values = out.to_vector<float>();
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], 3.0f * static_cast<float>(i) + static_cast<float>(i + 7)) << i;
  }
}

TEST(Spec4Call, EqualsTheExecutableAlone) {
  const Program alone = fixture_program("multi_out");
  const Type type = f32(128, 64);
  const Program program = jit(
      [&](Ref x, Ref y, Ref a, Ref b, Ref c) {
        const std::vector<Ref> results = call(alone, {x, y});
        ASSERT_EQ(results.size(), 3u);
        a.assign(results[0]);
        b.assign(results[1]);
        c.assign(results[2]);
      },
      {type, type, type, f32, f32(64)});
  std::vector<float> values(128 * 64);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>((i * 37) % 101) / 16.0f;
  }
  const Array x = Array::from(Device::host(), values, {128, 64});
  const Array y = Array::from(Device::host(), counting(128 * 64), {128, 64});
  const std::vector<Array> expected =
      Executable::load(fixture_folder("multi_out") / "executable.bin",
                       fixture_kernels("multi_out"))
          .compile(Device::host())
          .call({x, y});
  const Array a = zeros(type);
  const Array b = zeros(f32);
  const Array c = zeros(f32(64));
  run(program, {x, y, a, b, c});
  EXPECT_EQ(a.to_bytes(), expected[0].to_bytes());
  EXPECT_EQ(b.to_bytes(), expected[1].to_bytes());
  EXPECT_EQ(c.to_bytes(), expected[2].to_bytes());
  EXPECT_NE(b.item<float>(), 0.0f);
}

TEST(Spec8Rule10, HostDataAndNumbersBecomeConstants) {
  const Program saxpy = fixture_program("saxpy");
  const std::vector<float> x = counting(4096);
  const Program program =
      jit([&](Ref y, Ref out) { copy(call(saxpy, {2.0f, host(x), y})[0], out); },
          {kVector, kVector});
  EXPECT_EQ(count(program.module_text(), "thunky.constant "), 2u);
  const Array out = zeros(kVector);
  run(program, {array_of(counting(4096, 1)), out});
  EXPECT_EQ(out.to_vector<float>()[10], 31.0f);
}

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

// x[1:257] begins at byte 4.
TEST(Spec8Rule12, AParameterThatIsNotAlignedGoesThroughScratch) {
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

TEST(Spec4Call, TemporariesBecomeScratchAlsoInsideOfRegions) {
  const Program collatz = fixture_program("while_collatz");
  const Program program = jit(
      [&](Ref n, Ref flag, Ref sum) {
        const KernelCode code = test_kernels();
        while_loop(
            flag, [&] { ptx_kernel(code, "below", {read(n), 10, write_all(flag)}); },
            [&] {
              call(collatz, {n}, {.outputs = {std::nullopt, sum}});
              ptx_kernel(code, "increment", {read_write(n)});
            });
      },
      {i32, boolean, i32});
  for (size_t i = 3; i < program.arguments().size(); ++i) {
    EXPECT_TRUE(program.arguments()[i].scratch) << i;
  }
  EXPECT_GT(program.arguments().size(), 3u);
  const Array n = Array::scalar(Device::host(), 7);
  const Array sum = zeros(i32);
  run(program, {n, zeros(boolean), sum});
  EXPECT_EQ(n.item<int32_t>(), 10);
  EXPECT_EQ(sum.item<int32_t>(), 19);  // of 9
}

TEST(Spec4Call, InABranchAndInAnAsynchronousBody) {
  const Program donate = fixture_program("donate");
  const Program program = jit(
      [&](Ref flag, Ref x, Ref y) {
        cond(flag, [&] { call(donate, {x, y}); }, [] {});
        const Token token = async_start([&] { call(donate, {x, y}); }, 3);
        async_done(token);
      },
      {boolean, f32(256), f32(256)});
  EXPECT_TRUE(program.arguments()[1].effect.written);
  for (const auto& [flag, expected] : {std::pair(true, 41.0f), std::pair(false, 21.0f)}) {
    const Array x = array_of(std::vector<float>(256, 1));
    run(program, {flag, x, array_of(counting(256))});
    EXPECT_EQ(x.to_vector<float>()[10], expected);
  }
}

TEST(Spec4Call, ALoopInsideOfALoop) {
  // The condition of the loop around it comes from a call as well.
  const Program collatz = fixture_program("while_collatz");
  const Program program = jit(
      [&](Ref n, Ref flag, Ref steps) {
        const KernelCode code = test_kernels();
        while_loop(
            flag,
            [&] {
              call(collatz, {n}, {.outputs = {std::nullopt, steps}});
              ptx_kernel(code, "below", {read(steps), 100, write_all(flag)});
            },
            [&] { ptx_kernel(code, "increment", {read_write(n)}); });
      },
      {i32, boolean, i32});
  const Array n = Array::scalar(Device::host(), 2);
  const Array steps = zeros(i32);
  run(program, {n, zeros(boolean), steps});
  EXPECT_EQ(n.item<int32_t>(), 27);  // the first one with 100 steps or more
  EXPECT_EQ(steps.item<int32_t>(), 111);
}

TEST(Spec4Call, TenCallsStoreTheCodeOnceAndKeepSymbolsApart) {
  const Program donate = fixture_program("donate");
  const Program saxpy = fixture_program("saxpy");  // its kernel has the same name
  const Program program = jit(
      [&](Ref x, Ref y, Ref z) {
        for (int i = 0; i < 10; ++i) call(donate, {x, y});
        copy(call(saxpy, {1.0f, z, z})[0], z);
      },
      {f32(256), f32(256), kVector});
  EXPECT_EQ(count(program.module_text(), "thunky.kernel_code"), 2u)
      << program.module_text();
  const Array x = array_of(std::vector<float>(256, 1));
  const Array z = array_of(counting(4096));
  run(program, {x, array_of(counting(256)), z});
  EXPECT_EQ(x.to_vector<float>()[10], 1.0f + 10 * 20.0f);
  EXPECT_EQ(z.to_vector<float>()[10], 20.0f);
}

TEST(Spec4Call, ResultsFeedTheNextCall) {
  const Program saxpy = fixture_program("saxpy");
  const Program program = jit(
      [&](Ref x, Ref out) {
        const Ref twice = call(saxpy, {1.0f, x, x})[0];
        const Ref again = call(saxpy, {1.0f, twice, twice})[0];
        copy(again, out);
      },
      {kVector, kVector});
  const Array out = zeros(kVector);
  run(program, {array_of(counting(4096)), out});
  EXPECT_EQ(out.to_vector<float>()[9], 36.0f);
}

TEST(Spec4Call, InANestedProgram) {
  const Program donate = fixture_program("donate");
  const Program inner =
      jit([&](Ref x, Ref y) { call(donate, {x, y}); }, {f32(256), f32(256)});
  const Program program = jit(
      [&](Ref x, Ref y) {
        inner({x, y});
        inner({x, y});
      },
      {f32(256), f32(256)});
  EXPECT_TRUE(program.arguments()[0].effect.written);
  EXPECT_EQ(count(program.module_text(), "thunky.kernel_code"), 1u);
  const Array x = array_of(std::vector<float>(256, 1));
  run(program, {x, array_of(counting(256))});
  EXPECT_EQ(x.to_vector<float>()[10], 41.0f);
}

TEST(Spec4Call, AnExecutableAsWellAsAProgram) {
  const Executable donate = Executable::load(fixture_folder("donate") / "executable.bin",
                                             fixture_kernels("donate"));
  const Program program =
      jit([&](Ref x, Ref y) { call(donate, {x, y}); }, {f32(256), f32(256)});
  EXPECT_TRUE(program.arguments()[0].effect.written);
  const Array x = array_of(std::vector<float>(256, 1));
  run(program, {x, array_of(counting(256))});
  EXPECT_EQ(x.to_vector<float>()[10], 21.0f);
}

TEST(Spec4Call, ProgramsWithoutResultsAreCalledByThemselves) {
  const Program own = jit([](Ref x) { memzero(x); }, {f32(256)}, {.name = "own"});
  const Program donate = fixture_program("donate");
  jit(
      [&](Ref x) {
        EXPECT_INVALID(call(own, {x}), "call: program 'own' (");
        EXPECT_INVALID(call(own, {x}),
                       "has no parameters and results of its own; it is called by "
                       "itself: program({x, y})");
        EXPECT_INVALID(donate({x, x}),
                       "program 'jit__lambda' has parameters and results of its own; "
                       "call(program, ...) takes it");
      },
      {f32(256)});
}

TEST(Spec4Call, OutsideOfATraceIsAnError) {
  EXPECT_ERROR(call(fixture_program("saxpy"), {1.0f, 2.0f, 3.0f}),
               ErrorCode::failed_precondition, "call: no program is being traced");
}

TEST(Spec8Rule8, ARefOfAnotherTraceIsNoArgumentAndNoOutput) {
  const Program donate = fixture_program("donate");
  const Program saxpy = fixture_program("saxpy");
  jit(
      [&](Ref x, Ref z) {
        EXPECT_INVALID(jit([&](Ref y) { call(donate, {x, y}); }, {f32(256)}),
                       "call: a ref of type f32[256] belongs to program 'outer' (");
        EXPECT_INVALID(
            jit([&](Ref y) { call(saxpy, {1.0f, y, y}, {.outputs = {z}}); }, {kVector}),
            "call: a ref of type f32[4096] belongs to program 'outer' (");
      },
      {f32(256), kVector}, {.name = "outer"});
}

TEST(Spec4Call, AnErrorAddsNothing) {
  const Program donate = fixture_program("donate");
  const Program program = jit(
      [&](Ref x) {
        EXPECT_TRUE(
            error_of([&] { call(donate, {x[slice(0, 256)], x[slice(1, 257)]}); }));
        EXPECT_TRUE(error_of([&] { call(donate, {x[slice(0, 256)]}); }));
      },
      {f32(512)});
  EXPECT_EQ(program.arguments().size(), 1u);
  EXPECT_THAT(program.module_text(),
              AllOf(Not(HasSubstr("ptx_kernel")), Not(HasSubstr("copy")),
                    Not(HasSubstr("kernel_code"))));
}

TEST(Spec4Errors, AFaultInACalledProgramNamesTheCallsPlace) {
  const Program donate = fixture_program("donate");
  const Program program =
      jit([&](Ref x, Ref y) { call(donate, {x, y}); }, {f32(256), f32(256)});
  const LoadedExecutable loaded = program.compile(Device::host());
  const Array x = zeros(f32(256));
  EXPECT_ERROR(loaded.run({x, zeros(f32(256))}, {.max_steps = 1}),
               ErrorCode::resource_exhausted, "call_test.cc:");
}

TEST(Spec4Call, ParametersThatThePrunedProgramHasLeftAreThoseToGive) {
  // jit dropped one that nothing uses.
  const Program pruned = fixture_program("pruned_arg");
  const Program program =
      jit([&](Ref x, Ref y, Ref out) { call(pruned, {x, y}, {.outputs = {out}}); },
          {f32(8), f32(8), f32(8)});
  const Array out = zeros(f32(8));
  run(program, {array_of(counting(8)), array_of(counting(8, 1)), out});
  EXPECT_THAT(out.to_vector<float>(), ::testing::Each(::testing::Gt(0.0f)));
}

}  // namespace
}  // namespace thunky
