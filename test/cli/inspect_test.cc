// `inspect`: every fixture, as text and as JSON.
#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "test/cli/thunky_process.h"

namespace thunky::cli_tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InspectTest : public CliTest {
 protected:
  nlohmann::json Json(const std::string& file) {
    const ProcessResult result = Thunky({"inspect", file, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result;
    return nlohmann::json::parse(result.out);
  }
};

TEST_F(InspectTest, EveryFixture) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(Data("fixtures"))) {
    if (entry.path().filename() != "executable.bin") continue;
    ++files;
    const ProcessResult text = Thunky({"inspect", entry.path().string()});
    EXPECT_EQ(text.exit_code, 0) << text;
    EXPECT_THAT(text.out, AllOf(HasSubstr("file: complete executable"),
                                HasSubstr("verification: passed"), HasSubstr("memory\n"),
                                HasSubstr("streams: main")));
    EXPECT_THAT(text.err, IsEmpty());
    const auto json = Json(entry.path().string());
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["verified"], true);
    EXPECT_GT(json["thunks"].size(), 0u);
  }
  EXPECT_GT(files, 20);
}

TEST_F(InspectTest, ArgumentsAndAliases) {
  const auto json = Json(Jax("donate", "executable.bin"));
  const auto& signature = json["signature"];
  EXPECT_EQ(signature["parameters"].size(), 2u);
  EXPECT_EQ(signature["parameters"][0]["type"], "f32[256]");
  EXPECT_EQ(signature["results"].size(), 1u);
  const int aliased = signature["results"][0]["aliased_parameter"];
  EXPECT_EQ(signature["parameters"][aliased]["aliased_results"][0], 0);
  const ProcessResult text = Thunky({"inspect", Jax("donate", "executable.bin")});
  EXPECT_THAT(text.out,
              AllOf(HasSubstr(" become out0"), HasSubstr("in the memory of in")));
}

TEST_F(InspectTest, PrunedParametersKeepTheirNumbers) {
  const auto json = Json(Data("programs/pruned_parameters.textproto"));
  const auto& parameters = json["signature"]["parameters"];
  ASSERT_GT(parameters.size(), 0u);
  EXPECT_GT(parameters.back()["number"], parameters.size() - 1);
}

TEST_F(InspectTest, ThunkTreeAndKernels) {
  const ProcessResult result =
      Thunky({"inspect", Jax("scan_elementwise", "executable.bin")});
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("program: jit__lambda"), HasSubstr("written by: CUDA 13"),
                    HasSubstr("compiled for: replicas 1, partitions 1"),
                    HasSubstr("  thunks[3]  while  trip count 16"),
                    HasSubstr("    thunks[3].while.body[0]  custom_kernel  "
                              "loop_tanh_fusion: grid 1x1x1, block 64x1x1"),
                    HasSubstr("  loop_tanh_fusion  cubin, 4360 bytes  grid")));
  const auto json = Json(Jax("scan_elementwise", "executable.bin"));
  EXPECT_EQ(json["thunks"].size(), 8u);
  EXPECT_EQ(json["thunks"][4]["path"], "thunks[3].while.cond[0]");
  EXPECT_EQ(json["thunks"][4]["depth"], 1);
  EXPECT_EQ(json["kernels"].size(), 5u);
  EXPECT_EQ(json["kernels"][2]["launches"][0]["block"][0], 64);
  EXPECT_EQ(json["thunks"][2]["accesses"][0]["mode"], "write");
}

TEST_F(InspectTest, StreamsAndCollectives) {
  auto json = Json(Data("programs/two_streams.textproto"));
  EXPECT_EQ(json["streams"].size(), 2u);
  json = Json(Data("fixtures/jax-0.11.2/four_devices/psum/executable.bin"));
  ASSERT_EQ(json["collectives"].size(), 1u);
  EXPECT_EQ(json["collectives"][0]["kind"], "all_reduce");
  EXPECT_EQ(json["collectives"][0]["reduction"], "sum");
  EXPECT_EQ(json["collectives"][0]["replica_groups"][0].size(), 4u);
}

TEST_F(InspectTest, WhatCannotRunCanBeInspected) {
  EXPECT_EQ(Json(Data("programs/unknown_custom_calls.textproto"))["verified"], true);
  const std::string broken = Data("programs/slice_outside_its_allocation.textproto");
  const ProcessResult text = Thunky({"inspect", broken});
  EXPECT_EQ(text.exit_code, 2) << text;
  EXPECT_THAT(text.out, HasSubstr("verification: thunks["));
  EXPECT_THAT(text.err, HasSubstr(broken + ": thunks["));
  const ProcessResult json = Thunky({"inspect", broken, "--json"});
  EXPECT_EQ(json.exit_code, 2) << json;
  EXPECT_EQ(nlohmann::json::parse(json.out)["verified"], false);
}

TEST_F(InspectTest, KindsThatAreNotKnown) {
  const std::string file = WriteText(
      "newer.textproto", "program_shape { result { element_type: TUPLE } } thunks {}");
  const ProcessResult text = Thunky({"inspect", file});
  EXPECT_EQ(text.exit_code, 2) << text;
  EXPECT_THAT(text.first_error_line(),
              HasSubstr("thunks[0]: a thunk kind this build does not know"));
}

TEST_F(InspectTest, FormatJsonIsJson) {
  const std::string file = Jax("saxpy", "executable.bin");
  EXPECT_EQ(Thunky({"inspect", file, "--format", "json"}).out,
            Thunky({"inspect", file, "--json"}).out);
  EXPECT_EQ(Thunky({"inspect", file, "--format", "text"}).out,
            Thunky({"inspect", file}).out);
}

TEST_F(InspectTest, CutFiles) {
  const std::vector<uint8_t> good = ReadBytes(Jax("saxpy", "executable.bin"));
  for (size_t cut = 0; cut < good.size(); cut += 509) {
    const std::string path = WriteBytes("cut.bin", {good.begin(), good.begin() + cut});
    for (const char* command : {"inspect", "run", "kernels"}) {
      const ProcessResult result = Thunky({command, path});
      EXPECT_EQ(result.exit_code, 2) << result;
      EXPECT_THAT(result.first_error_line(), HasSubstr(path + ": "));
    }
  }
}

}  // namespace
}  // namespace thunky::cli_tests
