// Tracing: arguments, scratch, refs of other traces. Spec section 4, rules 8 and 9.
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/frontend/test_kernels.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// "x f32[4]", "f32[4] scratch"...
std::vector<std::string> signature(const Program& program) {
  std::vector<std::string> list;
  for (const ProgramArgument& argument : program.arguments()) {
    list.push_back((argument.name.empty() ? "" : argument.name + " ") +
                   argument.type.to_string() + (argument.scratch ? " scratch" : ""));
  }
  return list;
}

// --- Arguments and scratch

TEST(Spec8Rule9, ArgumentsAreTheUsersInOrderThenScratch) {
  const Program program = jit(
      [](Ref x, Ref y, Ref s, Ref t) {
        EXPECT_EQ(x.type(), f32(4));
        EXPECT_EQ(y.type(), i32());
        EXPECT_EQ(s.type(), u8(16));
        EXPECT_EQ(t.type(), f64(2));
      },
      {Parameter("x", f32(4)), i32}, {Parameter(u8(16)), Parameter("t", f64(2))});
  EXPECT_THAT(signature(program),
              ElementsAre("x f32[4]", "s32[]", "u8[16] scratch", "t f64[2] scratch"));
}

TEST(Spec8Rule9, OneScratchType) {
  const Program program =
      jit([](Ref, Ref s) { EXPECT_EQ(s.type(), f32(8)); }, {f32(4)}, f32(8));
  EXPECT_THAT(signature(program), ElementsAre("f32[4]", "f32[8] scratch"));
}

TEST(Spec8Rule9, AListOfOneScratchType) {
  const Program program = jit([](Ref, Ref) {}, {f32(4)}, {f32(8)});
  EXPECT_THAT(signature(program), ElementsAre("f32[4]", "f32[8] scratch"));
}

TEST(Spec8Rule9, ScratchByPositionMayHaveNames) {
  const Program program = jit([](Ref, Ref s) { EXPECT_EQ(s.type(), f32(8)); },
                              {{"x", f32(4)}}, {{"s", f32(8)}});
  EXPECT_THAT(signature(program), ElementsAre("x f32[4]", "s f32[8] scratch"));
  const Program named = jit(
      [](Ref, Ref s, Ref t) {
        EXPECT_EQ(s.type(), f32(8));
        EXPECT_EQ(t.type(), i32());
      },
      {{"x", f32(4)}}, {{"s", f32(8)}, {"t", i32}}, {.name = "named"});
  EXPECT_THAT(signature(named),
              ElementsAre("x f32[4]", "s f32[8] scratch", "t s32[] scratch"));
  EXPECT_EQ(named.name(), "named");
}

TEST(Spec8Rule9, NamedScratch) {
  const Program program = jit(
      [](Ref, const NamedRefs& scratch) {
        EXPECT_EQ(scratch("sums").type(), f32(8));
        EXPECT_EQ(scratch("flag").type(), boolean());
        EXPECT_INVALID(scratch("sum"),
                       "there is no scratch 'sum'; there is 'flag', 'sums'");
      },
      {f32(4)}, NamedScratch{{"flag", boolean}, {"sums", f32(8)}});
  EXPECT_THAT(signature(program),
              ElementsAre("f32[4]", "flag pred[] scratch", "sums f32[8] scratch"));
}

TEST(Spec8Rule9, ScratchIsDeclaredFirstThenAsMetInTheTrace) {
  const Program inner = jit([](Ref, Ref) {}, {f32(4)}, Parameter("inner", f32(1)).type);
  const Program program = jit(
      [&](Ref x, Ref) {
        (void)empty_ref(f32(2), "first");
        inner({x});
        (void)empty_ref(f32(3), "second");
        inner({x});
      },
      {f32(4)}, f32(5));
  EXPECT_THAT(signature(program),
              ElementsAre("f32[4]", "f32[5] scratch", "first f32[2] scratch",
                          "f32[1] scratch", "second f32[3] scratch", "f32[1] scratch"));
}

TEST(Spec8Rule9, WithoutScratchAndWithoutArguments) {
  const Program program = jit([] {}, std::span<const Parameter>());
  EXPECT_TRUE(program.arguments().empty());
  EXPECT_EQ(program.name(), "main");
}

TEST(Spec4Jit, ArgumentsCountedAtRunTime) {
  const std::vector<Parameter> list(3, Parameter(i32(2)));
  const Program program = jit(
      [](std::span<const Ref> refs) {
        ASSERT_EQ(refs.size(), 3u);
        for (const Ref& ref : refs) memzero(ref);
      },
      list, {.name = "many"});
  EXPECT_EQ(program.name(), "many");
  EXPECT_THAT(signature(program), ElementsAre("s32[2]", "s32[2]", "s32[2]"));
  EXPECT_INVALID(jit([] {}, list),
                 "jit: the function takes no ref, and there are 3 arguments");
}

TEST(Spec4Jit, NamesAreUnique) {
  EXPECT_INVALID((jit([](Ref, Ref) {}, {Parameter("x", f32), Parameter("x", f32)})),
                 "jit: two arguments are called 'x'");
  EXPECT_INVALID((jit([](Ref, const NamedRefs&) {}, {Parameter("x", f32)},
                      NamedScratch{{"x", f32}})),
                 "jit: two arguments are called 'x'");
}

TEST(Spec8Rule9, ScratchIsNotAnArgumentOfARun) {
  const Program program = jit(
      [](Ref x, Ref y, Ref s) {
        copy(x, s);
        copy(s, y);
      },
      {f32(2), f32(2)}, f32(2));
  const Device device = Device::host();
  const LoadedExecutable loaded = program.compile(device);
  EXPECT_EQ(loaded.executable().arguments().size(), 2u);
  EXPECT_GE(loaded.scratch_bytes(), 8u);
  const Array y = Array::zeros(device, f32(2));
  loaded.run({Array::from(device, {1.0f, 2.0f}), y});
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{1, 2}));
}

TEST(Spec8Rule9, EmptyRefInALoopIsOneBufferForAllIterations) {
  const Program program = jit(
      [](Ref x, Ref flag) {
        while_loop(
            flag, [] {},
            [&] {
              const Ref t = empty_ref(f32(4), "t");
              memzero(t);
              copy(t, x);
            },
            {.trip_count = 3});
      },
      {f32(4), boolean});
  EXPECT_THAT(signature(program), ElementsAre("f32[4]", "pred[]", "t f32[4] scratch"));
}

// --- Tracing

TEST(Spec4Jit, OperationsOutsideOfATraceAreErrors) {
  std::optional<Ref> escaped;
  jit([&](Ref x) { escaped = x; }, {f32(4)});
  const auto expect = [](const std::optional<Error>& error, const std::string& name) {
    ASSERT_TRUE(error) << name;
    EXPECT_EQ(error->code(), ErrorCode::failed_precondition);
    EXPECT_EQ(error->message(), name +
                                    ": no program is being traced; operations are "
                                    "called in a function that jit traces");
    EXPECT_THAT(error->where().file, HasSubstr("jit_test.cc"));
  };
  const Ref& x = escaped.value();
  expect(error_of([&] { memzero(x); }), "memzero");
  expect(error_of([&] { memset(x, 1); }), "memset");
  expect(error_of([&] { copy(x, x); }), "copy");
  expect(error_of([&] { ptx_kernel(test_kernels(), "trap", {read(x)}); }), "ptx_kernel");
  expect(error_of([&] { custom_call("t", {x}, {}); }), "custom_call");
  expect(error_of([&] { cond(x, [] {}, [] {}); }), "cond");
  expect(error_of([&] { switch_(x, {[] {}}); }), "switch_");
  expect(error_of([&] { while_loop(x, [] {}, [] {}); }), "while_loop");
  expect(error_of([&] { (void)async_start([] {}); }), "async_start");
  expect(error_of([&] { (void)empty_ref(f32()); }), "empty_ref");
  expect(error_of([&] { (void)constant(1.0f); }), "constant");
  expect(error_of([&] { partition_id(x); }), "partition_id");
  expect(error_of([&] { replica_id(x); }), "replica_id");
  expect(error_of([&] { collective_group([] {}); }), "collective_group");
  expect(error_of([&] { all_reduce(x, x, "sum", {.axis_name = "x"}); }), "all_reduce");
}

TEST(Spec8Rule8, ARefOfAnotherTraceIsAnErrorNamingBoth) {
  std::optional<Ref> escaped;
  jit([&](Ref x) { escaped = x[slice(0, 2)]; }, {f32(4)}, {.name = "first"});
  jit(
      [&](Ref x) {
        EXPECT_INVALID(copy(*escaped, x[slice(0, 2)]),
                       "copy: a ref of type f32[2] belongs to program 'first' (");
        EXPECT_INVALID(memzero(*escaped), "), and program 'second' (");
        EXPECT_INVALID(ptx_kernel(test_kernels(), "trap", {read(*escaped)}),
                       "ptx_kernel: a ref");
        EXPECT_INVALID(custom_call("t", {*escaped}, {}), "custom_call: a ref");
        const auto error = error_of([&] { memzero(*escaped); });
        ASSERT_TRUE(error);
        EXPECT_THAT(error->message(), HasSubstr("jit_test.cc:"));
      },
      {f32(4)}, {.name = "second"});
}

TEST(Spec8Rule8, ARefOfATraceAroundThisOneIsAnErrorToo) {
  jit(
      [](Ref x) {
        EXPECT_INVALID(jit([&](Ref y) { copy(x, y); }, {f32(4)}, {.name = "inner"}),
                       "copy: a ref of type f32[4] belongs to program 'outer' (");
        // The outer trace goes on.
        memzero(x);
      },
      {f32(4)}, {.name = "outer"});
}

TEST(Spec8Rule8, ATokenOfAnotherTraceIsAnErrorNamingBoth) {
  std::optional<Token> escaped;
  EXPECT_TRUE(error_of([&] {
    jit([&](Ref) { escaped = async_start([] {}); }, {f32(4)}, {.name = "first"});
  }));
  ASSERT_TRUE(escaped);
  jit(
      [&](Ref) {
        EXPECT_INVALID(async_done(*escaped),
                       "async_done: a token belongs to program 'first' (");
      },
      {f32(4)}, {.name = "second"});
}

TEST(Spec4Jit, AnExceptionOfTheFunctionComesOutAndEndsTheTrace) {
  EXPECT_THROW(jit([](Ref) { throw std::runtime_error("mine"); }, {f32()}),
               std::runtime_error);
  EXPECT_ERROR((void)empty_ref(f32()), ErrorCode::failed_precondition,
               "empty_ref: no program is being traced; operations are called in a "
               "function that jit traces");
  // In a region as well.
  EXPECT_THROW(
      jit([](Ref x) { cond(x, [] { throw std::runtime_error("mine"); }, [] {}); },
          {boolean}),
      std::runtime_error);
  EXPECT_NO_THROW(jit([](Ref x) { memzero(x); }, {f32()}));
}

TEST(Spec4Jit, AnOperationThatThrowsAddsNothing) {
  const auto trace = [](bool fail) {
    return jit(
               [&](Ref x, Ref flag) {
                 memzero(x);
                 if (!fail) return;
                 EXPECT_TRUE(error_of([&] { copy(x, x[slice(0, 2)]); }));
                 EXPECT_TRUE(error_of(
                     [&] { cond(flag, [&] { memzero(x); }, [&] { copy(x, flag); }); }));
                 EXPECT_TRUE(
                     error_of([&] { (void)async_start([&] { copy(x, flag); }); }));
               },
               {f32(4), boolean})
        .module_text();
  };
  // Views that were made for it may stay: they are no work.
  EXPECT_EQ(trace(true).find("thunky.copy"), std::string::npos);
  EXPECT_EQ(trace(true).find("thunky.cond"), std::string::npos);
  EXPECT_EQ(trace(true).find("thunky.async_start"), std::string::npos);
  EXPECT_NE(trace(false).find("thunky.memzero"), std::string::npos);
}

TEST(Spec4Errors, OperationsKnowTheirLineInTheModule) {
  unsigned line = 0;
  const Program program = jit(
      [&](Ref x) {
        line = __LINE__;
        memzero(x);
        memzero(x);
      },
      {f32(4)});
  const std::vector<Finding> findings = program.check();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].first.line, line + 1);
  EXPECT_EQ(findings[0].second.line, line + 2);
  EXPECT_THAT(findings[0].first.file, HasSubstr("jit_test.cc"));
}

TEST(Spec7Running, HostDataWhereTheProgramWritesIsAnErrorNamingTheArgument) {
  const Program program = jit([](Ref x, Ref y) { copy(x, y); },
                              {Parameter("from", f32(2)), Parameter("to", f32(2))});
  const Device device = Device::host();
  const LoadedExecutable loaded = program.compile(device);
  const std::vector<float> values = {1, 2};
  EXPECT_INVALID(loaded.run({host(values), host(values)}),
                 "program 'main': argument 1 'to' (f32[2]): expected an array, because "
                 "the program writes it; found values of the host");
  const Array to = Array::zeros(device, f32(2));
  loaded.run({host(values), to});
  EXPECT_EQ(to.to_vector<float>(), values);
}

TEST(Spec7Running, ArgumentsAreCheckedAgainstTheTypesBeforeAnythingRuns) {
  const Program program = jit(
      [](Ref x, Ref y) {
        memzero(y);
        copy(x, y);
      },
      {f32(2), f32(2)});
  const Device device = Device::host();
  const LoadedExecutable loaded = program.compile(device, {.on_warning = [](auto&) {}});
  const Array y = Array::from(device, {5.0f, 6.0f});
  EXPECT_INVALID(loaded.run({y}),
                 "program 'main': arguments: expected 2 (argument 0 'p0' (f32[2]), "
                 "argument 1 (f32[2])), found 1");
  EXPECT_INVALID(
      loaded.run({Array::zeros(device, f32(3)), y}),
      "program 'main': argument 0 'p0' (f32[2]): expected f32[2], found f32[3]");
  EXPECT_INVALID(
      loaded.run({Array::zeros(device, i32(2)), y}),
      "program 'main': argument 0 'p0' (f32[2]): expected f32[2], found s32[2]");
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{5, 6}));
}

TEST(Spec4Jit, AProgramIsItsOwn) {
  // Traces on several threads and in one another do not meet.
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::string& text : texts) {
    threads.emplace_back([&text] {
      const Program outer = jit(
          [](Ref x) {
            memzero(x[0]);
            const Program inner = jit([](Ref y) { memset(y, 7); }, {i32(4)});
            inner({x[1]});
          },
          {i32(2, 4)});
      text = outer.module_text();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : texts) EXPECT_EQ(text, texts[0]);
  EXPECT_THAT(texts[0], AllOf(HasSubstr("thunky.memzero"), HasSubstr("thunky.memset32")));
}

}  // namespace
}  // namespace thunky
