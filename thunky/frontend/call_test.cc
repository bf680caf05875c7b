// Executables in programs: spec section 4, rules 8 and 10. What is passed and comes back:
// call_arguments_test.cc.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/frontend/test_kernels.h"
#include "thunky/frontend/test_programs.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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
  const Program program = jit(
      [&](Ref x, Ref y) {
        call(donate, {x, y});
        call(donate, {x, y});
      },
      {f32(256), f32(256)});
  EXPECT_TRUE(program.arguments()[0].effect.written);
  EXPECT_EQ(count(program.module_text(), "thunky.kernel_code"), 1u);
  const Array x = array_of(std::vector<float>(256, 1));
  run(program, {x, array_of(counting(256))});
  EXPECT_EQ(x.to_vector<float>()[10], 41.0f);
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

TEST(Spec4Call, CallsGoOnAfterARegionThatFailed) {
  // Constants and code of the merged program must not be gone with the region.
  const Program collatz = fixture_program("while_collatz");
  const Program program = jit(
      [&](Ref n, Ref flag, Ref steps) {
        for (int i = 0; i < 3; ++i) {
          EXPECT_TRUE(error_of([&] {
            cond(
                flag,
                [&] {
                  call(collatz, {n});
                  copy(n, flag);
                },
                [] {});
          }));
        }
        call(collatz, {n}, {.outputs = {std::nullopt, steps}});
      },
      {i32, boolean, i32});
  const Array steps = zeros(i32);
  run(program, {int32_t{6}, false, steps});
  EXPECT_EQ(steps.item<int32_t>(), 8);
}

}  // namespace
}  // namespace thunky
