// Checks and scratch: spec section 6, rules 9 and 21.
#include <stdexcept>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// --- Hazards

// Reads scratch that nothing wrote, on line `line`.
Program uninitialized(unsigned* line) {
  return jit(
      [&](Ref x, Ref s) {
        *line = __LINE__ + 1;
        copy(s, x);
      },
      {f32(4)}, f32(4));
}

// Two bodies write x at once, on lines `first` and `second`.
Program race(unsigned* first, unsigned* second) {
  return jit(
      [&](Ref x) {
        const Token one = async_start(
            [&] {
              *first = __LINE__ + 1;
              memzero(x);
            },
            1);
        const Token two = async_start(
            [&] {
              *second = __LINE__ + 1;
              memset(x[slice(2, 4)], 1);
            },
            2);
        async_done(one);
        async_done(two);
      },
      {i32(4)});
}

// Writes x twice, on lines `first` and `second`.
Program overwritten(unsigned* first, unsigned* second) {
  return jit(
      [&](Ref x) {
        *first = __LINE__ + 1;
        memzero(x);
        *second = __LINE__ + 1;
        memset(x, 1);
      },
      {i32(4)});
}

TEST(Spec6Hazards, ARaceIsAnErrorWithBothPlacesAndTheBytes) {
  unsigned first = 0;
  unsigned second = 0;
  const Program program = race(&first, &second);
  const std::vector<Finding> findings = program.check();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, Finding::Kind::kRace);
  EXPECT_TRUE(findings[0].error);
  EXPECT_THAT((std::vector{findings[0].first.line, findings[0].second.line}),
              ::testing::UnorderedElementsAre(first, second));
  EXPECT_THAT(findings[0].message, HasSubstr("[8, 16)"));
  const auto error = error_of([&] { program.lower(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error->message(), HasSubstr(findings[0].message));
  EXPECT_THAT(error->where().file, HasSubstr("lower_test.cc"));
  EXPECT_THAT((std::vector{first, second}), ::testing::Contains(error->where().line));
  EXPECT_TRUE(error_of([&] { program.compile(Device::host()); }));
}

TEST(Spec6Hazards, AReadOfScratchThatNothingWroteIsAnError) {
  unsigned line = 0;
  const Program program = uninitialized(&line);
  const std::vector<Finding> findings = program.check();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, Finding::Kind::kUninitializedRead);
  EXPECT_TRUE(findings[0].error);
  EXPECT_EQ(findings[0].first.line, line);
  const auto error = error_of([&] { program.lower(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where().line, line);
}

TEST(Spec6Hazards, AllErrorsAreInTheMessage) {
  const Program program = jit(
      [](Ref x, Ref y, Ref s, Ref t) {
        copy(s, x);
        copy(t, y);
      },
      {f32(4), f32(4)}, {Parameter("s", f32(4)), Parameter("t", f32(4))});
  ASSERT_EQ(program.check().size(), 2u);
  const auto error = error_of([&] { program.lower(); });
  ASSERT_TRUE(error);
  for (const Finding& finding : program.check()) {
    EXPECT_THAT(error->message(), HasSubstr(finding.message));
  }
}

TEST(Spec6Hazards, AWriteThatNobodyReadsIsAWarning) {
  unsigned first = 0;
  unsigned second = 0;
  const Program program = overwritten(&first, &second);
  std::vector<Finding> warnings;
  program.lower(
      {.on_warning = [&](const Finding& warning) { warnings.push_back(warning); }});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, Finding::Kind::kOverwrittenUnread);
  EXPECT_FALSE(warnings[0].error);
  EXPECT_EQ(warnings[0].first.line, first);
  EXPECT_EQ(warnings[0].second.line, second);
}

TEST(Spec6Hazards, WarningsGoToTheHandlerThatWasSet) {
  unsigned first = 0;
  unsigned second = 0;
  const Program program = overwritten(&first, &second);
  int own = 0;
  int shared = 0;
  set_warning_handler([&](const Finding&) { ++shared; });
  program.lower();
  EXPECT_EQ(shared, 1);
  program.lower({.on_warning = [&](const Finding&) { ++own; }});
  EXPECT_EQ(own, 1);
  EXPECT_EQ(shared, 1);
  set_warning_handler({});
  ::testing::internal::CaptureStderr();
  program.lower();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("lower_test.cc:" + std::to_string(first) + ": warning: "),
                    HasSubstr("\n")));
  EXPECT_EQ(shared, 1);
}

TEST(Spec6Hazards, ChecksCanBeLeftOut) {
  unsigned first = 0;
  unsigned second = 0;
  int warnings = 0;
  const CompileOptions options = {.check_hazards = false,
                                  .on_warning = [&](const Finding&) { ++warnings; }};
  EXPECT_NO_THROW(race(&first, &second).lower(options));
  EXPECT_NO_THROW(overwritten(&first, &second).lower(options));
  EXPECT_EQ(warnings, 0);
}

TEST(Spec6Hazards, WhatAWarningHandlerThrowsComesOut) {
  unsigned first = 0;
  unsigned second = 0;
  const Program program = overwritten(&first, &second);
  const CompileOptions options = {
      .on_warning = [](const Finding&) { throw std::runtime_error("mine"); }};
  EXPECT_THROW(program.lower(options), std::runtime_error);
  // The program is as before.
  EXPECT_EQ(program.check().size(), 1u);
}

// --- Scratch

// Through two scratch buffers of 1 KiB, one after the other.
Program two_steps() {
  return jit(
      [](Ref x, Ref y) {
        const Ref s = empty_ref(f32(256));
        copy(x, s);
        copy(s, y);
        const Ref t = empty_ref(f32(256));
        copy(y, t);
        copy(t, x);
      },
      {f32(256), f32(256)});
}

TEST(Spec2Scratch, BuffersWhoseLivesDoNotMeetShareMemoryAndTheReportSaysSo) {
  CompileReport report;
  const Executable shared = two_steps().lower({.report = &report});
  EXPECT_EQ(report.scratch_bytes_before, 2048);
  EXPECT_EQ(report.scratch_bytes_after, 1024);
  CompileReport unchanged;
  two_steps().lower({.assign_scratch = false, .report = &unchanged});
  EXPECT_EQ(unchanged.scratch_bytes_before, 2048);
  EXPECT_EQ(unchanged.scratch_bytes_after, 2048);
  const Executable apart = two_steps().lower({.assign_scratch = false});
  const Device device = Device::host();
  EXPECT_EQ(shared.compile(device).scratch_bytes(), 1024u);
  EXPECT_EQ(apart.compile(device).scratch_bytes(), 2048u);
}

TEST(Spec2Scratch, TheProgramItselfDoesNotChange) {
  const Program program = two_steps();
  const std::string before = program.module_text(/*elide=*/false);
  program.lower();
  EXPECT_EQ(program.module_text(/*elide=*/false), before);
}

TEST(Spec8Rule9, EmptyRefInALoopIsUndefinedAtFirst) {
  const auto loop = [](bool write_first) {
    return jit(
        [=](Ref x, Ref flag) {
          while_loop(
              flag, [] {},
              [&] {
                const Ref t = empty_ref(f32(4), "t");
                if (write_first) memzero(t);
                copy(t, x);
                if (!write_first) memzero(t);
              },
              {.trip_count = 3});
        },
        {f32(4), boolean});
  };
  const auto error = error_of([&] { loop(false).lower(); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message(), HasSubstr("'t'"));
  EXPECT_NO_THROW(loop(true).lower({.on_warning = [](const Finding&) {}}));
}

TEST(Spec4Errors, WhatWasRefusedLeavesNoScratch) {
  const Program program = jit(
      [](Ref x, Ref flag) {
        EXPECT_TRUE(error_of([&] {
          cond(
              flag,
              [&] {
                const Ref t = empty_ref(f32(4));
                memzero(t);
                copy(t, flag);
              },
              [] {});
        }));
        memzero(x);
      },
      {f32(4), boolean});
  const Device device = Device::host();
  EXPECT_EQ(program.compile(device).scratch_bytes(), 0u);
}

TEST(Spec8Rule21, CallsOfFunctionsAreInlinedByItself) {
  const Program program = Program::from_bytes(R"(module {
  func.func private @fill(%a: !thunky.buffer<8>) {
    thunky.memset32 %a, 7 : <8>
    return
  }
  func.func @main(%a: !thunky.buffer<8>, %b: !thunky.buffer<8>) {
    func.call @fill(%a) : (!thunky.buffer<8>) -> ()
    func.call @fill(%b) : (!thunky.buffer<8>) -> ()
    return
  }
})",
                                              "given.mlir");
  EXPECT_TRUE(program.arguments()[0].effect.overwritten);
  const Device device = Device::host();
  const Array a = Array::zeros(device, u8(8));
  const Array b = Array::zeros(device, u8(8));
  program.compile(device).run({a, b});
  EXPECT_EQ(a.as(i32(2)).to_vector<int32_t>(), (std::vector<int32_t>{7, 7}));
  EXPECT_EQ(b.to_bytes(), a.to_bytes());
}

}  // namespace
}  // namespace thunky
