// Programs in programs: spec section 4, rules 9 and 10.
#include <source_location>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/frontend/test_kernels.h"
#include "thunky/frontend/test_programs.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// out = a + b, through scratch.
Program add_program() {
  return jit(
      [](Ref a, Ref b, Ref out, Ref sum) {
        ptx_kernel(test_kernels(), "add", {read(a), read(b), write_all(sum)},
                   {.block = 4});
        copy(sum, out);
      },
      {Parameter("a", f32(4)), Parameter("b", f32(4)), Parameter("out", f32(4))}, f32(4),
      {.name = "add"});
}

TEST(Spec4Nested, IsInlinedAndComputes) {
  const Program add = add_program();
  const Program program = jit(
      [&](Ref x, Ref y) {
        add({x, x, y});
        add({y, x, y});
      },
      {f32(4), f32(4)});
  const std::string text = program.module_text();
  EXPECT_EQ(count(text, "thunky.ptx_kernel"), 2u) << text;
  EXPECT_THAT(text, Not(HasSubstr("call @")));
  const Device device = Device::host();
  const Array y = Array::zeros(device, f32(4));
  program.compile(device).run({Array::from(device, {1.0f, 2.0f, 3.0f, 4.0f}), y});
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{3, 6, 9, 12}));
}

TEST(Spec4Nested, MayBePassedViewsAndOneRootSeveralTimes) {
  const Program add = add_program();
  const Program program = jit(
      [&](Ref x) {
        add({x[0], x[1], x[2]});
        add({x[2].reshape({4}), x[2], x[slice(3, 4)].reshape({4})});
      },
      {f32(4, 4)});
  const Device device = Device::host();
  const Array x = Array::from(
      device, std::vector<float>{1, 2, 3, 4, 10, 20, 30, 40, 0, 0, 0, 0, 0, 0, 0, 0},
      {4, 4});
  program.compile(device).run({x});
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3, 4, 10, 20, 30, 40, 11, 22,
                                                      33, 44, 22, 44, 66, 88}));
}

TEST(Spec4Nested, CodeIsMergedAndStoredOnce) {
  const Program add = add_program();
  const Program program = jit(
      [&](Ref x, Ref y) {
        ptx_kernel(test_kernels(), "increment", {read_write(x[0])});
        add({x, x, y});
        add({x, y, y});
      },
      {f32(4), f32(4)});
  EXPECT_EQ(count(program.module_text(), "thunky.kernel_code"), 1u)
      << program.module_text();
}

TEST(Spec4Nested, OtherCodeOfTheSameNameIsKeptApart) {
  const KernelCode other = KernelCode::ptx(std::string(kTestPtx) + "\n", "kernels");
  const Program inner =
      jit([&](Ref x) { ptx_kernel(other, "increment", {read_write(x)}); }, {i32});
  const Program program = jit(
      [&](Ref x) {
        ptx_kernel(test_kernels(), "increment", {read_write(x)});
        inner({x});
      },
      {i32});
  EXPECT_EQ(count(program.module_text(), "thunky.kernel_code"), 2u);
  const Device device = Device::host();
  const Array x = Array::scalar(device, 5);
  program.compile(device).run({x});
  EXPECT_EQ(x.item<int32_t>(), 7);
}

TEST(Spec8Rule10, HostDataBecomesAConstant) {
  const Program add = add_program();
  const std::vector<float> ones = {1, 1, 1, 1};
  const Program program =
      jit([&](Ref x, Ref y) { add({x, host(ones), y}); }, {f32(4), f32(4)});
  EXPECT_EQ(count(program.module_text(), "thunky.constant"), 1u);
  const Device device = Device::host();
  const Array y = Array::zeros(device, f32(4));
  program.compile(device).run({Array::from(device, {1.0f, 2.0f, 3.0f, 4.0f}), y});
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{2, 3, 4, 5}));
}

TEST(Spec8Rule10, ANumberIsAScalarOfItsOwnType) {
  const Program store = jit([](Ref value, Ref out) { copy(value, out); }, {i32, i32});
  const Program program = jit([&](Ref x) { store({int32_t{42}, x}); }, {i32});
  const Device device = Device::host();
  const Array x = Array::scalar(device, 0);
  program.compile(device).run({x});
  EXPECT_EQ(x.item<int32_t>(), 42);
  jit(
      [&](Ref x) {
        EXPECT_INVALID(store({42.0, x}), "argument 0 (s32[]) of program 'main' (");
        EXPECT_INVALID(store({int64_t{42}, x}), "is given s64[]");
      },
      {i32});
}

TEST(Spec8Rule10, HostDataIsKeptAlthoughTheCallersIsGone) {
  const Program store =
      jit([](Ref value, Ref out) { copy(value, out); }, {f32(4), f32(4)});
  const Program program = jit(
      [&](Ref x) {
        std::vector<float> values = {1, 2, 3, 4};
        store({host(values), x});
        values.assign(4, 0);
      },
      {f32(4)});
  const Device device = Device::host();
  const Array x = Array::zeros(device, f32(4));
  program.compile(device).run({x});
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3, 4}));
}

TEST(Spec4Effects, HostDataWhereTheProgramWritesIsAnErrorNamingTheArgument) {
  const Program add = add_program();
  const std::vector<float> values(4);
  jit(
      [&](Ref x) {
        EXPECT_INVALID(add({x, x, host(values)}),
                       "argument 2 'out' (f32[4]) of program 'add' (");
        EXPECT_INVALID(add({x, x, host(values)}),
                       "is written, and is given host data; a ref is needed");
      },
      {f32(4)});
}

TEST(Spec4Nested, AConstantWhereTheProgramWritesIsAnErrorOfThatCall) {
  const Program add = add_program();
  const Program program = jit(
      [&](Ref x) {
        const Ref fixed = constant(std::vector<float>{1, 2, 3, 4, 5});
        EXPECT_INVALID(add({x, x, fixed[slice(1, 5)]}),
                       "argument 2 'out' (f32[4]) of program 'add' (");
        EXPECT_INVALID(add({x, x, fixed[slice(1, 5)]}),
                       "is written, and is given a constant; constants are read only");
        // What was refused is not there.
        add({x, fixed[slice(0, 4)], x});
      },
      {f32(4)});
  const Array x = Array::from(Device::host(), {1.0f, 1.0f, 1.0f, 1.0f});
  program.compile(Device::host()).run({x});
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{2, 3, 4, 5}));
}

TEST(Spec4Nested, AnotherNumberOfArgumentsIsAnError) {
  const Program add = add_program();
  jit(
      [&](Ref x) {
        EXPECT_INVALID(add({x, x}), "is given 2 arguments and takes 3");
        EXPECT_INVALID(add({x, x, x, x}), "is given 4 arguments and takes 3");
        EXPECT_INVALID(add({}), "program 'add' (");
      },
      {f32(4)});
}

TEST(Spec4Nested, AnotherTypeOrShapeIsAnErrorNamingTheArgument) {
  const Program add = add_program();
  jit(
      [&](Ref x, Ref y) {
        EXPECT_INVALID(add({x, y, x}), "argument 1 'b' (f32[4]) of program 'add' (");
        EXPECT_INVALID(add({x, y, x}), "is given f32[2,2]");
        EXPECT_INVALID(add({x, x, x.bitcast(i32)}), "is given s32[4]");
      },
      {f32(4), f32(2, 2)});
}

TEST(Spec8Rule8, ARefOfAnotherTraceIsNoArgument) {
  const Program add = add_program();
  jit(
      [&](Ref x) {
        EXPECT_INVALID(jit([&](Ref y) { add({x, y, y}); }, {f32(4)}),
                       "a ref of type f32[4] belongs to program 'outer' (");
      },
      {f32(4)}, {.name = "outer"});
}

TEST(Spec4Nested, OutsideOfATraceIsAnError) {
  const Program add = add_program();
  const std::vector<float> values(4);
  EXPECT_ERROR(add({host(values), host(values), host(values)}),
               ErrorCode::failed_precondition, "no program is being traced");
}

TEST(Spec4Nested, DeepNestingAndRegions) {
  // Doubles x once a call: 2^6 in all.
  const Program twice = jit(
      [](Ref x) {
        ptx_kernel(test_kernels(), "axpy", {read(x), read_write(x), 1.0f}, {.block = 4});
      },
      {f32(4)});
  const Program eight = jit(
      [&](Ref x) {
        const Token token = async_start([&] { twice({x}); });
        async_done(token);
        twice({x});
        cond(constant(true), [&] { twice({x}); }, [] {});
      },
      {f32(4)});
  const Program program = jit(
      [&](Ref x, Ref flag) {
        while_loop(flag, [] {}, [&] { eight({x}); }, {.trip_count = 2});
      },
      {f32(4), boolean});
  const Device device = Device::host();
  const Array x = Array::from(device, {1.0f, 2.0f, 3.0f, 4.0f});
  program.compile(device).run({x, true});
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{64, 128, 192, 256}));
}

// `inner` in so many loops.
void in_loops(const Ref& flag, int loops, const Region& inner) {
  if (loops == 0) return inner();
  while_loop(flag, [] {}, [&] { in_loops(flag, loops - 1, inner); }, {.trip_count = 1});
}

TEST(Spec4Nested, RegionsNestToADepthTogether) {
  const Program deep =
      jit([](Ref x, Ref flag) { in_loops(flag, 155, [&] { memzero(x); }); },
          {f32(4), boolean}, {.name = "deep"});
  const Program program = jit(
      [&](Ref x, Ref flag) {
        in_loops(flag, 101, [&] {
          EXPECT_INVALID(deep({x, flag}), "call of program 'deep' (");
          EXPECT_INVALID(deep({x, flag}),
                         "its regions nest 156 deep, and it is called in 102; together, "
                         "more than 256 are not allowed");
        });
        in_loops(flag, 100, [&] { deep({x, flag}); });
      },
      {f32(4), boolean});
  EXPECT_TRUE(program.check().empty());
}

TEST(Spec4Nested, BuffersThatOverlapInAThunkAreAnErrorAtTheCall) {
  // What the nested program does is right for refs that are apart.
  const Program add = jit(
      [](Ref a, Ref b, Ref out) {
        ptx_kernel(test_kernels(), "add", {read(a), read(b), write_all(out)},
                   {.block = 4});
      },
      {f32(4), f32(4), f32(4)}, {.name = "add"});
  std::source_location call;
  const auto error = error_of([&] {
    jit(
        [&](Ref x) {
          call = std::source_location::current();
          add({x[slice(0, 4)], x[slice(8, 12)], x[slice(2, 6)]}, call);
        },
        {f32(12)});
  });
  EXPECT_TRUE(is_error(error, ErrorCode::invalid_argument,
                       "ptx_kernel: args[0] (allocation 0 [0, 16), read) and args[2] "
                       "(allocation 0 [8, 24), write_all) overlap in part",
                       call));
}

}  // namespace
}  // namespace thunky
