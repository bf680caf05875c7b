// Branches, loops and asynchronous work: spec section 2, rules 7 and 8.
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/frontend/test_kernels.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;

const auto kNothing = [] {};

// --- cond, switch_

// x becomes the number of the branch that ran.
Program switch_program() {
  return jit(
      [](Ref index, Ref x) {
        switch_(index,
                {[&] { memset(x, 0); }, [&] { memset(x, 1); }, [&] { memset(x, 2); }});
      },
      {i32, i32});
}

TEST(Spec8Rule7, SwitchIndexIsI32AndOutOfRangePicksTheLast) {
  const Device device = Device::host();
  const LoadedExecutable loaded = switch_program().compile(device);
  for (const auto& [index, branch] : std::vector<std::pair<int32_t, int32_t>>{
           {0, 0},
           {1, 1},
           {2, 2},
           {3, 2},
           {-1, 2},
           {std::numeric_limits<int32_t>::min(), 2},
           {std::numeric_limits<int32_t>::max(), 2}}) {
    const Array x = Array::scalar(device, -5);
    loaded.run({index, x});
    EXPECT_EQ(x.item<int32_t>(), branch) << index;
  }
}

TEST(Spec8Rule7, CondPredicateIsABool) {
  const Program program = jit(
      [](Ref flag, Ref x) { cond(flag, [&] { memset(x, 1); }, [&] { memset(x, 2); }); },
      {boolean, i32});
  const Device device = Device::host();
  const LoadedExecutable loaded = program.compile(device);
  const Array x = Array::scalar(device, 0);
  loaded.run({true, x});
  EXPECT_EQ(x.item<int32_t>(), 1);
  loaded.run({false, x});
  EXPECT_EQ(x.item<int32_t>(), 2);
}

TEST(Spec8Rule7, OtherPredicatesAreErrors) {
  jit(
      [](Ref number, Ref flags, Ref byte, Ref wide) {
        EXPECT_INVALID(cond(number, kNothing, kNothing),
                       "cond: the predicate is s32[]; pred[] is needed");
        EXPECT_INVALID(cond(flags, kNothing, kNothing),
                       "the predicate is pred[2]; pred[] is needed");
        EXPECT_INVALID(cond(byte, kNothing, kNothing),
                       "cond: the predicate is u8[]; pred[] is needed; switch_ takes the "
                       "number of a branch");
        EXPECT_INVALID(switch_(byte, {kNothing, kNothing}),
                       "switch_: the index is u8[]; s32[] is needed, or pred[] with two "
                       "branches");
        EXPECT_INVALID(
            switch_(wide, {kNothing}),
            "switch_: the index is s64[]; s32[] is needed, or pred[] with two branches");
        EXPECT_INVALID(
            switch_(number.bitcast(u32), {kNothing}),
            "switch_: the index is u32[]; s32[] is needed, or pred[] with two branches");
        EXPECT_INVALID(
            switch_(number.reshape({1}), {kNothing}),
            "switch_: the index is s32[1]; s32[] is needed, or pred[] with two branches");
      },
      {i32, boolean(2), u8, i64});
}

TEST(Spec2Cond, ABoolTakesExactlyTwoBranches) {
  const Program program = jit(
      [](Ref flag, Ref x) {
        EXPECT_INVALID(
            switch_(flag, {kNothing}),
            "cond: has 1 branches; with an index of 1 byte (a bool) there must be 2");
        EXPECT_INVALID(
            switch_(flag, {kNothing, kNothing, kNothing}),
            "cond: has 3 branches; with an index of 1 byte (a bool) there must be 2");
        switch_(flag, {[&] { memset(x, 1); }, [&] { memset(x, 2); }});
      },
      {boolean, i32});
  const Device device = Device::host();
  const Array x = Array::scalar(device, 0);
  program.compile(device).run({true, x});
  EXPECT_EQ(x.item<int32_t>(), 1);  // true is the first
}

TEST(Spec2Cond, AtLeastOneBranch) {
  jit(
      [](Ref index) {
        EXPECT_INVALID(switch_(index, {}),
                       "switch_: there is no branch; at least one is needed");
        switch_(index, {kNothing});
      },
      {i32});
}

TEST(Spec2Cond, EmptyBranchesAreLegal) {
  const Program program = jit(
      [](Ref flag, Ref x) {
        cond(flag, kNothing, kNothing);
        cond(flag, kNothing, [&] { memset(x, 2); });
      },
      {boolean, i32});
  const Device device = Device::host();
  const Array x = Array::scalar(device, 7);
  program.compile(device).run({true, x});
  EXPECT_EQ(x.item<int32_t>(), 7);
}

TEST(Spec4Regions, RunOnceWhileTracedAndCaptureRefs) {
  int calls = 0;
  const Program program = jit(
      [&](Ref flag, Ref x) {
        const Ref half = x[slice(0, 2)];
        const Ref seven = constant(std::vector<int32_t>{7, 7});
        cond(
            flag,
            [&] {
              ++calls;
              copy(seven, half);
            },
            [&] { ++calls; });
        // The view was made in there; here it is made anew.
        memzero(x[slice(2, 4)]);
        copy(half, x[slice(2, 4)]);
      },
      {boolean, i32(4)});
  EXPECT_EQ(calls, 2);
  const Device device = Device::host();
  const Array x = Array::from(device, {1, 2, 3, 4});
  program.compile(device, {.on_warning = [](auto&) {}}).run({true, x});
  EXPECT_EQ(x.to_vector<int32_t>(), (std::vector<int32_t>{7, 7, 7, 7}));
}

TEST(Spec4Regions, AnErrorInARegionNamesItsOwnLine) {
  jit(
      [](Ref flag, Ref x) {
        cond(
            flag,
            [&] {
              EXPECT_INVALID(copy(x, flag),
                             "copy: source_buffer has 16 bytes and destination_buffer 1; "
                             "a copy needs equal sizes");
            },
            kNothing);
        EXPECT_INVALID(cond(
                           flag, [&] { copy(x, flag); }, kNothing),
                       "copy: source_buffer has 16 bytes and destination_buffer 1; a "
                       "copy needs equal sizes");
      },
      {boolean, f32(4)});
}

// --- while_loop

// Counts n up to `limit`.
void count_to(Ref n, int32_t limit, Ref flag) {
  const KernelCode code = test_kernels();
  while_loop(
      flag, [&] { ptx_kernel(code, "below", {read(n), limit, write_all(flag)}); },
      [&] { ptx_kernel(code, "increment", {read_write(n)}); });
}

TEST(Spec2While, TheConditionRunsFirstAndBeforeEveryIteration) {
  const Program program =
      jit([](Ref n, Ref flag) { count_to(n, 5, flag); }, {i32}, boolean());
  const Device device = Device::host();
  const LoadedExecutable loaded = program.compile(device);
  for (const auto& [from, to] :
       std::vector<std::pair<int32_t, int32_t>>{{0, 5}, {4, 5}, {5, 5}, {9, 9}}) {
    const Array n = Array::scalar(device, from);
    loaded.run({n});
    EXPECT_EQ(n.item<int32_t>(), to) << from;
  }
}

TEST(Spec2While, WithATripCountTheConditionIsNeitherRunNorWritten) {
  const Program program = jit(
      [](Ref n, Ref flag) {
        while_loop(flag, kNothing,
                   [&] { ptx_kernel(test_kernels(), "increment", {read_write(n)}); },
                   {.trip_count = 3});
        while_loop(flag, kNothing,
                   [&] { ptx_kernel(test_kernels(), "increment", {read_write(n)}); },
                   {.trip_count = 0});
      },
      {i32, boolean});
  const Device device = Device::host();
  const Array n = Array::scalar(device, 10);
  const Array flag = Array::scalar(device, false);
  program.compile(device).run({n, flag});
  EXPECT_EQ(n.item<int32_t>(), 13);
  EXPECT_FALSE(flag.item<bool>());
}

TEST(Spec2While, WithoutATripCountTheConditionMustBeWritten) {
  jit(
      [](Ref flag, Ref other) {
        EXPECT_INVALID(while_loop(flag, kNothing, kNothing),
                       "while_loop: has a condition region in which nothing writes the "
                       "condition; without a trip count it must");
        EXPECT_INVALID(while_loop(
                           flag, [&] { memzero(other); }, kNothing),
                       "while_loop: has a condition region in which nothing writes the "
                       "condition; without a trip count it must");
        while_loop(flag, [&] { memzero(flag); }, kNothing);
      },
      {boolean, boolean});
}

TEST(Spec8Rule7, WhileConditionIsAScalarBool) {
  jit(
      [](Ref number, Ref flags) {
        EXPECT_INVALID(while_loop(number, kNothing, kNothing, {.trip_count = 1}),
                       "while_loop: the condition is s32[]; pred[] is needed");
        EXPECT_INVALID(while_loop(flags, kNothing, kNothing, {.trip_count = 1}),
                       "while_loop: the condition is pred[1]; pred[] is needed");
        EXPECT_INVALID(
            while_loop(flags[0].bitcast(u8), kNothing, kNothing, {.trip_count = 1}),
            "while_loop: the condition is u8[]; pred[] is needed");
      },
      {i32, boolean(1)});
}

TEST(Spec2While, ANegativeTripCountIsAnError) {
  jit(
      [](Ref flag) {
        EXPECT_INVALID(while_loop(flag, kNothing, kNothing, {.trip_count = -1}),
                       "while_loop: trip_count is -1; it must not be negative");
      },
      {boolean});
}

// Calls itself for each region, as a function that makes a program of a tree does.
void nest(const Ref& flag, const Ref& x, int depth) {
  if (depth == 0) return memzero(x);
  while_loop(flag, kNothing, [&] { nest(flag, x, depth - 1); }, {.trip_count = 1});
}

TEST(Spec2While, ADepthWithoutEndIsAnErrorWhileTraced) {
  const Program deep =
      jit([](Ref flag, Ref x) { nest(flag, x, 255); }, {boolean, f32(4)});
  EXPECT_TRUE(deep.check().empty());
  // The program is what it was without the loops that were refused.
  const Program program = jit(
      [](Ref flag, Ref x) {
        for (const int depth : {256, 4000}) {
          const std::optional<Error> error = error_of([&] { nest(flag, x, depth); });
          ASSERT_TRUE(error);
          EXPECT_EQ(error->message(),
                    "while_loop: is nested in more than 256 regions; at most so many are "
                    "allowed");
        }
        memset(x, 1.0f);
      },
      {boolean, f32(4)});
  EXPECT_EQ(program.module_text().find("thunky.while"), std::string::npos);
  const Device device = Device::host();
  const Array x = Array::zeros(device, f32(4));
  program.compile(device).run({false, x});
  EXPECT_EQ(x.to_vector<float>()[3], 1.0f);
}

TEST(Spec2While, LoopsNest) {
  const Program program = jit(
      [](Ref outer, Ref inner, Ref total, Ref flags) {
        const KernelCode code = test_kernels();
        while_loop(
            flags[0],
            [&] { ptx_kernel(code, "below", {read(outer), 3, write_all(flags[0])}); },
            [&] {
              ptx_kernel(code, "increment", {read_write(outer)});
              memzero(inner);
              while_loop(
                  flags[1],
                  [&] {
                    ptx_kernel(code, "below", {read(inner), 4, write_all(flags[1])});
                  },
                  [&] {
                    ptx_kernel(code, "increment", {read_write(inner)});
                    cond(
                        flags[1],
                        [&] { ptx_kernel(code, "increment", {read_write(total)}); },
                        kNothing);
                  });
            });
      },
      {i32, i32, i32}, boolean(2));
  const Device device = Device::host();
  const Array total = Array::scalar(device, 0);
  program.compile(device).run(
      {Array::scalar(device, 0), Array::scalar(device, 0), total});
  EXPECT_EQ(total.item<int32_t>(), 12);
}

}  // namespace
}  // namespace thunky
