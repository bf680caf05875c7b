// Programs that JAX compiled give the same bytes after import and export, in every form
// that this machine runs.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/cli/thunky_process.h"

namespace thunky::cli_tests {
namespace {

class ExportRunsTest : public CliTest, public ::testing::WithParamInterface<const char*> {
 protected:
  // What the program writes; nothing, and a failure of the test, when it does not run.
  std::vector<uint8_t> outputOf(const std::string& program,
                                const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"run",      program,
                                          "--input",  Jax(GetParam(), "io.npz"),
                                          "--output", Path("out.npz")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProcessResult result = Thunky(arguments);
    EXPECT_EQ(result.exit_code, 0) << result;
    return result.exit_code == 0 ? ReadBytes(Path("out.npz")) : std::vector<uint8_t>();
  }

  // Runs a command that writes a file, and names the file.
  std::string written(const std::string& name, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-o", Path(name)});
    const ProcessResult result = Thunky(arguments);
    EXPECT_EQ(result.exit_code, 0) << result;
    return Path(name);
  }
};

TEST_P(ExportRunsTest, TheSameBytes) {
  const std::vector<std::string> kernels = {"--kernels", Jax(GetParam(), "kernels")};
  const std::string original = Jax(GetParam(), "executable.bin");
  const std::vector<uint8_t> expected = outputOf(original, kernels);
  ASSERT_FALSE(expected.empty());

  // Cubins only, as JAX wrote them: PTX comes from outside again.
  const std::string plain = written("plain.mlir", {"import", original});
  EXPECT_TRUE(outputOf(written("cubin.bin", {"export", plain}), kernels) == expected);

  const std::string module =
      written("module.mlir", {"import", original, kernels[0], kernels[1]});
  EXPECT_TRUE(outputOf(module) == expected);
  EXPECT_TRUE(outputOf(written("runtime.pb",
                               {"export", module, "--target", "runtime"})) == expected);
  EXPECT_TRUE(outputOf(written("ptx.bin", {"export", module, "--target", "ptx"})) ==
              expected);
}

// Those of run_jax_test.cc.
INSTANTIATE_TEST_SUITE_P(
    Programs, ExportRunsTest,
    ::testing::Values("cond", "cond_false", "donate", "dyn_slice", "layernorm",
                      "multi_out", "pruned_arg", "random_normal", "reduce_big", "saxpy",
                      "scan_elementwise", "softmax", "sort", "while_collatz",
                      "../captured/clamped_window", "../captured/donated",
                      "../captured/dynamic_trip", "../captured/nested_sort_scan",
                      "../captured/pruned", "../captured/switch3"),
    [](const auto& info) {
      const std::string name = info.param;
      return name.substr(name.rfind('/') + 1);
    });

}  // namespace
}  // namespace thunky::cli_tests
