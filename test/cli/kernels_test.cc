// `kernels`: PTX files and executables.
#include <filesystem>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "proto/executable.pb.h"
#include "test/cli/thunky_process.h"

namespace thunky::cli_tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class KernelsTest : public CliTest {
 protected:
  nlohmann::json Json(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "kernels");
    arguments.push_back("--json");
    const ProcessResult result = Thunky(arguments);
    EXPECT_EQ(result.exit_code, 0) << result;
    return nlohmann::json::parse(result.out);
  }
};

TEST_F(KernelsTest, PtxFile) {
  const ProcessResult result = Thunky({"kernels", Data("kernels/ptx/reduce.ptx")});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("block_sum_f32\n  code: PTX"),
                    HasSubstr("  PTX: version 9.0, target sm_80\n"),
                    HasSubstr("  parameters: 3 (u64, u64, u32), 20 bytes\n"),
                    HasSubstr("  shared memory: "), HasSubstr("  host: supported\n")));
  const auto json = Json({Data("kernels/ptx/reduce.ptx")});
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["kernels"][0]["entry"], "block_sum_f32");
  EXPECT_EQ(json["kernels"][0]["target"], "sm_80");
  EXPECT_EQ(json["kernels"][0]["parameters"][2]["bytes"], 4);
  EXPECT_EQ(json["kernels"][0]["supported"], true);
}

TEST_F(KernelsTest, EveryPtxOfTheFixturesIsSupported) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(Data("fixtures/jax-0.11.2-ptx"))) {
    if (entry.path().extension() != ".ptx") continue;
    ++files;
    const auto report = Json({entry.path().string()});
    for (const auto& kernel : report["kernels"]) {
      EXPECT_EQ(kernel["supported"], true) << entry.path() << kernel;
    }
  }
  EXPECT_GT(files, 50);
}

TEST_F(KernelsTest, UnsupportedInstructionsAreNamed) {
  const std::string program = Data("programs/unsupported_instruction.textproto");
  const ProcessResult result = Thunky({"kernels", program});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, AllOf(HasSubstr("host: not supported: 1 unsupported"),
                                HasSubstr("line 18: "), HasSubstr("frobnicate.b32")));
  const auto json = Json({program});
  EXPECT_EQ(json["kernels"][0]["supported"], false);
  EXPECT_EQ(json["kernels"][0]["diagnostics"][0]["line"], 18);
  EXPECT_EQ(json["kernels"][0]["diagnostics"][0]["spelling"], "frobnicate.b32");
}

TEST_F(KernelsTest, ExecutableWithAndWithoutPtx) {
  const std::string file = Jax("softmax", "executable.bin");
  auto json = Json({file});
  EXPECT_EQ(json["kernels"][0]["entry"], "triton_softmax_2");
  EXPECT_EQ(json["kernels"][0]["code"], "cubin");
  EXPECT_EQ(json["kernels"][0]["supported"], false);
  EXPECT_THAT(json["kernels"][0]["why_not"], HasSubstr("--kernels"));
  EXPECT_EQ(json["kernels"][0]["cubins"][0]["architecture"], "sm_90a");
  EXPECT_EQ(json["kernels"][0]["cubins"][0]["parameter_bytes"], (std::vector<int>{8, 8}));
  EXPECT_THAT(Thunky({"kernels", file}).out,
              HasSubstr("  cubin: target sm_90a, parameters: 2\n"));
  json = Json({file, "--kernels", Jax("softmax", "kernels")});
  EXPECT_EQ(json["kernels"][0]["supported"], true);
  EXPECT_THAT(json["kernels"][0]["ptx_file"], HasSubstr("kernels/0.ptx"));
  EXPECT_EQ(json["kernels"][0]["required_block"][0], 32);
  EXPECT_EQ(json["kernels"][0]["launches"][0]["grid"][0], 64);
  const ProcessResult topk = Thunky({"kernels", Jax("topk", "executable.bin")});
  EXPECT_THAT(topk.out, HasSubstr("'topk_k8_float_uint32_t' inside XLA"));
}

TEST_F(KernelsTest, ExtractWritesCubins) {
  const std::string folder = Path("code");
  const auto json =
      Json({Jax("scan_elementwise", "executable.bin"), "--extract", folder});
  EXPECT_EQ(json["extracted"].size(), 5u);
  for (const auto& path : json["extracted"]) {
    const std::vector<uint8_t> bytes = ReadBytes(path);
    ASSERT_GT(bytes.size(), 4u);
    EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 4),
              "\x7f"
              "ELF");
  }
  EXPECT_TRUE(std::filesystem::exists(folder + "/loop_tanh_fusion.cubin"));
}

TEST_F(KernelsTest, ExtractWritesPtx) {
  const std::string folder = Path("code");
  const ProcessResult result =
      Thunky({"kernels", Data("programs/saxpy.textproto"), "--extract", folder});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("wrote " + folder + "/saxpy.ptx\n"));
  EXPECT_EQ(Thunky({"kernels", folder + "/saxpy.ptx"}).exit_code, 0);
  // All entries of one file are one module.
  const std::string ptx = Data("kernels/ptx/reduce.ptx");
  const auto json = Json({ptx, "--extract", Path("module")});
  EXPECT_GT(json["kernels"].size(), 1u);
  ASSERT_EQ(json["extracted"].size(), 1u);
  EXPECT_EQ(ReadBytes(json["extracted"][0]), ReadBytes(ptx));
}

// A kernel whose code in the table has every form.
TEST_F(KernelsTest, SharedCode) {
  wire::GpuExecutableProto proto;
  proto.mutable_buffer_allocations();
  wire::KernelCodeProto& code = *proto.mutable_thunky()->add_kernel_code();
  code.set_ptx(
      ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n");
  code.add_cubins()->set_architecture("sm_90a");
  code.mutable_cubins(0)->set_data("first");
  code.add_cubins()->set_architecture("sm_100f");
  code.mutable_cubins(1)->set_data("second");
  code.set_hash("any");
  for (const char* hash : {"any", "any", "missing"}) {
    wire::KernelLoaderSpecProto& spec = *proto.add_thunks()
                                             ->mutable_custom_kernel_thunk()
                                             ->mutable_custom_kernel()
                                             ->mutable_kernel_spec();
    spec.set_kernel_name("k");
    spec.set_thunky_code(hash);
  }
  const std::string file = WriteText("shared.pb", proto.SerializeAsString());
  const std::string folder = Path("code");
  const auto json = Json({file, "--extract", folder});
  ASSERT_EQ(json["kernels"].size(), 2u);
  ASSERT_EQ(json["kernels"][0]["cubins"].size(), 2u);
  EXPECT_THAT(json["kernels"][0]["cubins"][1]["problem"], HasSubstr("ELF header"));
  EXPECT_EQ(json["kernels"][0]["code"],
            "shared PTX, cubin for sm_90a, cubin for sm_100f");
  EXPECT_EQ(json["kernels"][0]["code_bytes"], code.ptx().size() + 11);
  EXPECT_EQ(json["kernels"][0]["launches"].size(), 2u);
  EXPECT_EQ(json["kernels"][0]["supported"], true);
  EXPECT_EQ(json["kernels"][1]["code"], "no code");
  EXPECT_EQ(json["extracted"].size(), 3u);
  const std::vector<uint8_t> second = ReadBytes(folder + "/k.sm_100f.cubin");
  EXPECT_EQ(std::string(second.begin(), second.end()), "second");
  EXPECT_TRUE(std::filesystem::exists(folder + "/k.ptx"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/k.sm_90a.cubin"));
}

// Entry names come from the file and go to the file system.
TEST_F(KernelsTest, ExtractStaysInItsFolder) {
  const char* const names[] = {"../../escape", "/etc/passwd", "..", ".hidden",   "a/b",
                               "A_b",          "a_b",         "",   "new\\nline"};
  std::string program =
      "module_name: 'names'\nprogram_shape { result { element_type: TUPLE } }\n"
      "buffer_allocations { }\n";
  int number = 0;
  for (const char* name : names) {
    program +=
        "thunks { custom_kernel_thunk { custom_kernel { kernel_spec { ptx { data: '"
        "code " +
        std::to_string(number++) + "' } kernel_name: '" + name + "' } } } }\n";
  }
  std::filesystem::create_directory(Path("inner"));
  const std::string folder = Path("inner/code");
  const auto json = Json({WriteText("names.textproto", program), "--extract", folder});
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(Path("inner"))) {
    if (entry.is_regular_file()) files.insert(entry.path().string());
  }
  EXPECT_EQ(files.size(), std::size(names));
  EXPECT_EQ(json["extracted"].size(), std::size(names));
  for (const std::string& file : files) {
    EXPECT_EQ(std::filesystem::path(file).parent_path(), folder) << file;
    EXPECT_NE(std::filesystem::path(file).filename().string()[0], '.') << file;
  }
  // File systems that do not tell case apart must keep these apart too.
  for (const char* name : {"/a_b.ptx", "/A_b_2.ptx", "/a_b_3.ptx"}) {
    EXPECT_TRUE(std::filesystem::exists(folder + name)) << name;
  }
}

TEST_F(KernelsTest, Refused) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{WriteText("bad.ptx", ".version 9.0\n.target sm_90\n%%%\n")}, "bad.ptx: line 3"},
      {{WriteText("new.ptx", ".version 99.0\n.target sm_90\n")}, "99.0"},
      {{Data("kernels/ptx/saxpy.ptx"), "--kernels", Data("kernels/ptx")}, "found PTX"},
      {{Data("programs/saxpy.textproto"), "--kernels", Path("none")},
       "none: cannot open"},
      {{Data("programs/saxpy.textproto"), "--extract", WriteText("file", "") + "/x"},
       "cannot create the folder"},
  };
  for (auto [arguments, message] : cases) {
    arguments.insert(arguments.begin(), "kernels");
    const ProcessResult result = Thunky(arguments);
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr(message));
    EXPECT_THAT(result.out, IsEmpty());
  }
}

}  // namespace
}  // namespace thunky::cli_tests
