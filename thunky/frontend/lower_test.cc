// Checks, scratch, files and threads: spec sections 6 and 7, rules 4 and 21.
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
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

// --- Files

// y += 2 * x in scratch and a constant, with code.
Program sample() {
  return jit(
      [](Ref x, Ref y) {
        const Ref s = empty_ref(f32(4), "sum");
        copy(constant(std::vector<float>{1, 2, 3, 4}), s);
        ptx_kernel(test_kernels(), "axpy", {read(x), read_write(s), 2.0f}, {.block = 4});
        copy(s, y);
      },
      {Parameter("x", f32(4)), Parameter("y", f32(4))}, {.name = "sample"});
}

std::vector<float> run_sample(const Program& program) {
  const Device device = Device::host();
  const Array y = Array::zeros(device, f32(4));
  const std::vector<float> x = {1, 10, 100, 1000};
  program.compile(device).run({host(x), y});
  return y.to_vector<float>();
}

const std::vector<float> kSampleResult = {3, 22, 203, 2004};

std::filesystem::path temporary(const std::string& name) {
  return std::filesystem::path(::testing::TempDir()) / name;
}

TEST(Spec4Files, EveryFormatGivesTheSameResults) {
  EXPECT_EQ(run_sample(sample()), kSampleResult);
  for (const char* name : {"sample.mlir", "sample.mlirbc", "sample.thunky"}) {
    sample().save(temporary(name));
    const Program again = Program::load(temporary(name));
    EXPECT_EQ(run_sample(again), kSampleResult) << name;
    EXPECT_EQ(again.arguments()[0].name, "x") << name;
    EXPECT_EQ(again.arguments()[1].type, f32(4)) << name;
    EXPECT_TRUE(again.arguments()[1].effect.overwritten) << name;
  }
}

TEST(Spec4Files, ModulesKeepNameScratchAndPlaces) {
  sample().save(temporary("again.mlirbc"));
  const Program again = Program::load(temporary("again.mlirbc"));
  EXPECT_EQ(again.name(), "sample");
  ASSERT_EQ(again.arguments().size(), 3u);
  EXPECT_EQ(again.arguments()[2].name, "sum");
  EXPECT_TRUE(again.arguments()[2].scratch);
  EXPECT_EQ(again.module_text(false), sample().module_text(false));
}

TEST(Spec4Files, AnExecutableRunsWithoutTheCompiler) {
  sample().save(temporary("alone.thunky"));
  const Device device = Device::host();
  const LoadedExecutable loaded =
      Executable::load(temporary("alone.thunky")).compile(device);
  const Array y = Array::zeros(device, f32(4));
  loaded.run({Array::from(device, {1.0f, 10.0f, 100.0f, 1000.0f}), y});
  EXPECT_EQ(y.to_vector<float>(), kSampleResult);
}

TEST(Spec4Files, AFileForJaxIsAnExecutableThatRunsHere) {
  sample().save(
      temporary("sample.bin"),
      {.format = FileFormat::kJax, .compute_capability = "9.0", .prefer_ptx = true});
  const Device device = Device::host();
  const std::vector<Array> results =
      Executable::load(temporary("sample.bin"))
          .compile(device)
          .call({Array::from(device, {1.0f, 10.0f, 100.0f, 1000.0f})});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].to_vector<float>(), kSampleResult);
}

TEST(Spec4Files, AProgramOfJaxComesBackTheSame) {
  const Program donate = fixture_program("donate");
  for (const char* name : {"donate.mlir", "donate.mlirbc"}) {
    donate.save(temporary(name));
    const Device device = Device::host();
    const Array x = Array::from(device, std::vector<float>(256, 1));
    const Array y = Array::from(device, std::vector<float>(256, 3));
    Program::load(temporary(name)).compile(device).run({x, y});
    EXPECT_EQ(x.to_vector<float>(), std::vector<float>(256, 7)) << name;
  }
}

TEST(Spec4Files, AnEndingThatNamesNoFormatIsAnError) {
  std::filesystem::remove(temporary("sample.txt"));
  const Program program = sample();
  EXPECT_INVALID(program.save(temporary("sample.txt")),
                 "the ending '.txt' names no format; .mlir, .mlirbc and .thunky do");
  EXPECT_INVALID(program.save(temporary("sample")), "the ending '' names no format");
  EXPECT_FALSE(std::filesystem::exists(temporary("sample.txt")));
  program.save(temporary("sample.txt"), {.format = FileFormat::kModuleText});
  EXPECT_EQ(run_sample(Program::load(temporary("sample.txt"))), kSampleResult);
}

TEST(Spec4Files, ErrorsNameTheFile) {
  EXPECT_ERROR(Program::load(temporary("absent.mlir")), ErrorCode::not_found,
               "absent.mlir");
  const auto rejects = [](const std::string& bytes) {
    const auto error = error_of([&] { Program::from_bytes(bytes, "given.mlir"); });
    ASSERT_TRUE(error) << bytes;
    EXPECT_EQ(error->code(), ErrorCode::invalid_argument) << error->what();
    EXPECT_THAT(std::string(error->what()), HasSubstr("given.mlir")) << bytes;
  };
  rejects("");
  rejects("no program");
  rejects("module {");
  rejects("module { func.func @other() { return } }");
  rejects(std::string(1000, '\0'));
  const Program program = sample();
  EXPECT_TRUE(
      error_of([&] { program.save(temporary("no/such/folder") / "sample.mlir"); }));
}

TEST(Spec4Files, AnErrorInAModuleNamesItsLine) {
  const std::string text =
      "module {\n"
      "  func.func @main(%a: !thunky.buffer<8>, %b: !thunky.buffer<4>) {\n"
      "    thunky.copy %a -> %b : <8>, <4>\n"
      "    return\n"
      "  }\n"
      "}\n";
  const auto error = error_of([&] { Program::from_bytes(text, "given.mlir"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where().to_string(), "given.mlir:3") << error->what();
}

// --- Threads

TEST(Spec7Running, SeveralThreadsCompileOneProgram) {
  const Program program = sample();
  std::vector<std::vector<float>> results(4);
  std::vector<std::thread> threads;
  for (std::vector<float>& result : results) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        (void)program.check();
        (void)program.module_text();
        result = run_sample(program);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<float>& result : results) EXPECT_EQ(result, kSampleResult);
}

TEST(Spec7Running, SeveralThreadsMergeOneProgram) {
  const Program inner = sample();
  const Program donate = fixture_program("donate");
  std::vector<std::vector<float>> results(4);
  std::vector<std::thread> threads;
  for (std::vector<float>& result : results) {
    threads.emplace_back([&] {
      const Program outer = jit(
          [&](Ref x, Ref y, Ref z) {
            inner({x, y});
            call(donate, {z, z});
          },
          {f32(4), f32(4), f32(256)});
      const Device device = Device::host();
      const Array y = Array::zeros(device, f32(4));
      const Array z = Array::zeros(device, f32(256));
      outer.compile(device).run(
          {Array::from(device, {1.0f, 10.0f, 100.0f, 1000.0f}), y, z});
      result = y.to_vector<float>();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<float>& result : results) EXPECT_EQ(result, kSampleResult);
}

TEST(Spec7Running, EightThreadsRunOneExecutable) {
  const Device device = Device::host();
  const LoadedExecutable loaded = sample().compile(device);
  std::vector<int> wrong(8, -1);
  std::vector<std::thread> threads;
  for (int& count : wrong) {
    threads.emplace_back([&] {
      count = 0;
      const Array y = Array::zeros(device, f32(4));
      for (int i = 0; i < 20; ++i) {
        const auto a = static_cast<float>(i);
        loaded.run({Array::from(device, {a, a, a, a}), y});
        const std::vector<float> expected = {1 + 2 * a, 2 + 2 * a, 3 + 2 * a, 4 + 2 * a};
        if (y.to_vector<float>() != expected) ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

TEST(Spec7Running, RepeatedRunsAreBitEqualAndChangeNoInput) {
  const Device device = Device::host();
  const LoadedExecutable loaded = sample().compile(device);
  const Array x = Array::from(device, {0.1f, 0.2f, 0.3f, 0.4f});
  const Array y = Array::zeros(device, f32(4));
  loaded.run({x, y});
  const std::vector<std::byte> first = y.to_bytes();
  for (int i = 0; i < 3; ++i) {
    loaded.run({x, y});
    EXPECT_EQ(y.to_bytes(), first);
  }
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{0.1f, 0.2f, 0.3f, 0.4f}));
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

}  // namespace
}  // namespace thunky
