// Programs in files: spec section 4.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/frontend/test_programs.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;

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

// What it lists is what a run takes, whatever is a parameter and whatever a result.
TEST(Spec4Files, AnExecutableKeepsTheOrderAndTheNamesOfItsArguments) {
  const Program program = jit(
      [](Ref out, Ref in, Ref both, Ref scratch) {
        copy(in, scratch);
        copy(scratch, out);
        memset(both[0], 7.0f);
      },
      {{"out", f32(4)}, {"in", f32(4)}, {"both", f32(4)}}, f32(4));
  program.save(temporary("order.thunky"));
  const Program again = Program::load(temporary("order.thunky"));
  ASSERT_EQ(again.arguments().size(), 4u);
  EXPECT_EQ(again.arguments()[0].name, "out");
  EXPECT_EQ(again.arguments()[1].name, "in");
  EXPECT_EQ(again.arguments()[2].name, "both");
  EXPECT_TRUE(again.arguments()[3].scratch);
  const Array out = Array::zeros(Device::host(), f32(4));
  const Array both = Array::zeros(Device::host(), f32(4));
  again.compile(Device::host())
      .run({out, Array::from(Device::host(), {1.0f, 2.0f, 3.0f, 4.0f}), both});
  EXPECT_EQ(out.to_vector<float>(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(both.to_vector<float>(), (std::vector<float>{7, 0, 0, 0}));
  // Merged, it has parameters in their order, and results.
  const Program merged =
      jit([&](Ref x, Ref y) { copy(call(again, {x, y})[0], y); }, {f32(4), f32(4)});
  const Array y = Array::zeros(Device::host(), f32(4));
  merged.compile(Device::host())
      .run({Array::from(Device::host(), {5.0f, 6.0f, 7.0f, 8.0f}), y});
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{5, 6, 7, 8}));
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

// A file may be for another machine.
TEST(Spec4Files, WhatThisHostCannotRunIsSavedAllTheSame) {
  const MeshScope scope(Mesh{{"x", 2}});
  const Program program =
      jit([](Ref x, Ref y) { all_reduce(x, y, "sum", {.axis_name = "x"}); },
          {f32(4), f32(4)});
  program.save(temporary("reduce.thunky"));
  EXPECT_THAT(Program::load(temporary("reduce.thunky")).module_text(),
              HasSubstr("thunky.all_reduce sum"));
  EXPECT_ERROR(Executable::load(temporary("reduce.thunky")), ErrorCode::unimplemented,
               "all_reduce");
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
  EXPECT_INVALID(
      program.save(temporary("sample.txt"), {.format = static_cast<FileFormat>(77)}),
      "there is no format number 77");
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

TEST(Spec4Files, ALargeFileIsRefusedUnread) {
  const std::filesystem::path path = temporary("large.bin");
  std::ofstream(path) << "x";
  std::filesystem::resize_file(path, uint64_t{3} << 30);  // a hole, no memory
  EXPECT_ERROR(Program::load(path), ErrorCode::resource_exhausted,
               "large.bin: expected at most 2147483648 bytes, found more");
  std::filesystem::remove(path);
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

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

TEST(Spec4Files, APartOfAFileIsAnErrorAndNeverACrash) {
  sample().save(temporary("parts.thunky"));
  sample().save(temporary("parts.mlir"));
  for (const std::string& content :
       {content_of(temporary("parts.thunky")), content_of(temporary("parts.mlir")),
        content_of(fixture_folder("donate") / "executable.bin")}) {
    ASSERT_GT(content.size(), 500u);
    for (size_t size = 0; size + 2 < content.size(); size += 61) {
      const auto error =
          error_of([&] { Program::from_bytes(content.substr(0, size), "part"); });
      ASSERT_TRUE(error) << size << " of " << content.size();
      EXPECT_THAT(std::string(error->what()), HasSubstr("part")) << size;
    }
  }
}

TEST(Spec4Files, DamagedBytesAreAnErrorOrAProgramAndNeverACrash) {
  const std::string content = content_of(fixture_folder("donate") / "executable.bin");
  size_t refused = 0;
  for (size_t i = 0; i < content.size(); i += 37) {
    std::string damaged = content;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    if (error_of([&] { (void)Program::from_bytes(damaged, "part").check(); })) ++refused;
  }
  EXPECT_GT(refused, 0u);
}

TEST(Spec4Files, AFileMayDecodeToSoMuchAtMost) {
  EXPECT_ERROR(Program::load(fixture_folder("donate") / "executable.bin",
                             {.max_decoded_bytes = 1000}),
               ErrorCode::resource_exhausted, "executable.bin");
}

TEST(Spec4Files, KernelsThatAreNotThereAreAnErrorNamingThem) {
  EXPECT_ERROR(Program::load(fixture_folder("donate") / "executable.bin",
                             {.kernels = {temporary("absent_kernels")}}),
               ErrorCode::not_found, "absent_kernels");
}

TEST(Spec4Files, AFileForJaxNeedsAGpuToBeFor) {
  EXPECT_INVALID(sample().save(temporary("no_gpu.bin"),
                               {.format = FileFormat::kJax, .prefer_ptx = true}),
                 "compute");
  EXPECT_FALSE(std::filesystem::exists(temporary("no_gpu.bin")));
}

}  // namespace
}  // namespace thunky
