// What a program does with its arguments: rule 11.
#include <cstddef>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/test_kernels.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

// "r", "w", "rw", "o" when it is overwritten, "-".
std::string effect_of(const Program& program, size_t number) {
  const ArgumentEffect& effect = program.arguments()[number].effect;
  std::string text = effect.read ? "r" : "";
  if (effect.written) text += effect.overwritten ? "o" : "w";
  return text.empty() ? "-" : text;
}

TEST(Spec8Rule11, EachArgumentIsReadWrittenBothOrNeither) {
  const Program program = jit(
      [](Ref a, Ref b, Ref c, Ref) {
        copy(a, b);
        ptx_kernel(test_kernels(), "axpy", {read(a), read_write(c), 1.0f}, {.block = 4});
      },
      {f32(4), f32(4), f32(4), f32(4)});
  EXPECT_EQ(effect_of(program, 0), "r");
  EXPECT_EQ(effect_of(program, 1), "o");
  EXPECT_EQ(effect_of(program, 2), "rw");  // accumulating is both
  EXPECT_EQ(effect_of(program, 3), "-");
}

TEST(Spec8Rule11, ViewsOfOneRootMerge) {
  const Program program = jit(
      [](Ref x, Ref y) {
        copy(x[0], x[1]);
        memzero(y[slice(0, 2)]);
        memzero(y[slice(2, 4)]);
      },
      {f32(2, 4), f32(4)});
  EXPECT_EQ(effect_of(program, 0), "rw");
  EXPECT_EQ(effect_of(program, 1), "o");
}

TEST(Spec8Rule11, APartThatIsWrittenIsNotOverwritten) {
  const Program program = jit([](Ref x) { memzero(x[slice(0, 3)]); }, {f32(4)});
  EXPECT_EQ(effect_of(program, 0), "w");
}

TEST(Spec8Rule11, EffectsOfRegionsMapToTheRootRefs) {
  const Program program = jit(
      [](Ref flag, Ref a, Ref b, Ref c, Ref d) {
        cond(flag, [&] { copy(a, b); }, [&] { memzero(b); });
        cond(flag, [&] { memzero(c); }, [] {});
        const Token token = async_start([&] { memzero(d[1]); });
        async_done(token);
      },
      {boolean, f32(4), f32(4), f32(4), f32(2, 4)});
  EXPECT_EQ(effect_of(program, 0), "r");
  EXPECT_EQ(effect_of(program, 1), "r");
  EXPECT_EQ(effect_of(program, 2), "o");  // by both branches
  EXPECT_EQ(effect_of(program, 3), "w");  // by one
  EXPECT_EQ(effect_of(program, 4), "w");
}

TEST(Spec8Rule11, EffectsOfNestedProgramsMapToTheCallersRoots) {
  const Program inner =
      jit([](Ref a, Ref b, Ref) { copy(a, b); }, {f32(4), f32(4), f32(4)});
  const Program middle = jit(
      [&](Ref flag, Ref x, Ref y) {
        while_loop(flag, [] {}, [&] { inner({x[1], x[0], y}); }, {.trip_count = 2});
      },
      {boolean, f32(2, 4), f32(4)});
  const Program outer = jit(
      [&](Ref flag, Ref x, Ref y, Ref z) {
        middle({flag, x, y});
        middle({flag, x, z});
      },
      {boolean, f32(2, 4), f32(4), f32(4)});
  EXPECT_EQ(effect_of(inner, 0), "r");
  EXPECT_EQ(effect_of(inner, 1), "o");
  EXPECT_EQ(effect_of(inner, 2), "-");
  EXPECT_EQ(effect_of(outer, 0), effect_of(middle, 0));
  EXPECT_EQ(effect_of(outer, 1), "rw");
  EXPECT_EQ(effect_of(outer, 2), "-");
  EXPECT_EQ(effect_of(outer, 3), "-");
}

}  // namespace
}  // namespace thunky
