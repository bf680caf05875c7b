// Every program that JAX compiled, against what the GPU computed.
#include <ostream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/cli/thunky_process.h"

namespace thunky::cli_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Runnable {
  const char* name;
  const char* rtol;  // and atol, times the largest magnitude
};
void PrintTo(const Runnable& program, std::ostream* stream) { *stream << program.name; }

class RunJaxTest : public CliTest, public ::testing::WithParamInterface<Runnable> {};

TEST_P(RunJaxTest, AgreesWithTheGpu) {
  const auto [name, rtol] = GetParam();
  const std::vector<std::vector<std::string>> modes = {
      {}, {"--repeat", "3"}, {"--repeat", "3", "--new-buffers"}, {"--checked"}};
  for (const std::vector<std::string>& mode : modes) {
    std::vector<std::string> options = {"--check", Jax(name, "io.npz"), "--rtol", rtol};
    options.insert(options.end(), mode.begin(), mode.end());
    const ProcessResult result = Thunky(RunJax(name, options));
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_THAT(result.out, HasSubstr("device: host"));
    EXPECT_THAT(result.out, HasSubstr("check: holds"));
    EXPECT_THAT(result.err, IsEmpty());
  }
}

TEST_P(RunJaxTest, OutputIsTheSameEachTime) {
  const std::string name = GetParam().name;
  const std::string first = Path("first.npz"), second = Path("second.npz");
  ASSERT_EQ(Thunky(RunJax(name, {"--output", first})).exit_code, 0);
  ASSERT_EQ(Thunky(RunJax(name, {"--output", second, "--repeat", "2"})).exit_code, 0);
  EXPECT_EQ(ReadBytes(first), ReadBytes(second));
}

TEST_P(RunJaxTest, WithoutPtxTheErrorSaysHowToGetIt) {
  const std::string name = GetParam().name;
  const ProcessResult result =
      Thunky({"run", Jax(name, "executable.bin"), "--input", Jax(name, "io.npz")});
  EXPECT_EQ(result.exit_code, 2) << result;
  EXPECT_THAT(result.first_error_line(), HasSubstr(name + "/executable.bin: "));
  EXPECT_THAT(result.err, HasSubstr("--kernels"));
  EXPECT_THAT(result.err, HasSubstr("xla_dump"));
}

INSTANTIATE_TEST_SUITE_P(
    Programs, RunJaxTest,
    ::testing::Values(Runnable{"cond", "2e-6"}, Runnable{"cond_false", "2e-6"},
                      Runnable{"donate", "2e-6"}, Runnable{"dyn_slice", "2e-6"},
                      Runnable{"layernorm", "1e-5"}, Runnable{"multi_out", "1e-5"},
                      Runnable{"pruned_arg", "2e-6"}, Runnable{"random_normal", "2e-6"},
                      Runnable{"reduce_big", "1e-5"}, Runnable{"saxpy", "2e-6"},
                      Runnable{"scan_elementwise", "2e-6"}, Runnable{"softmax", "1e-5"},
                      Runnable{"sort", "0"}, Runnable{"while_collatz", "0"}),
    [](const auto& info) { return std::string(info.param.name); });

// Captured with tools/jax_capture.py; named from the folder of the programs above.
INSTANTIATE_TEST_SUITE_P(Captured, RunJaxTest,
                         ::testing::Values(Runnable{"../captured/clamped_window", "0"},
                                           Runnable{"../captured/donated", "2e-6"},
                                           Runnable{"../captured/dynamic_trip", "0"},
                                           Runnable{"../captured/nested_sort_scan",
                                                    "2e-6"},
                                           Runnable{"../captured/pruned", "2e-6"},
                                           Runnable{"../captured/switch3", "0"}),
                         [](const auto& info) {
                           const std::string name = info.param.name;
                           return name.substr(name.rfind('/') + 1);
                         });

struct Refused {
  const char* name;
  const char* message;  // names what is missing
};
void PrintTo(const Refused& program, std::ostream* stream) { *stream << program.name; }

class RefuseJaxTest : public CliTest, public ::testing::WithParamInterface<Refused> {};

TEST_P(RefuseJaxTest, NamesTheThunkAndItsKind) {
  const auto [name, message] = GetParam();
  const ProcessResult result = Thunky(RunJax(name));
  EXPECT_EQ(result.exit_code, 2) << result;
  EXPECT_THAT(result.first_error_line(), HasSubstr("/executable.bin: thunks["));
  EXPECT_THAT(result.err, HasSubstr(message));
  EXPECT_THAT(result.out, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Programs, RefuseJaxTest,
    ::testing::Values(Refused{"cholesky", "cusolver_potrf_ffi"},
                      Refused{"constant", "'cublas_lt_matmul'"},
                      Refused{"conv2d", "'convolution'"}, Refused{"fft", "'fft'"},
                      Refused{"flax_cnn_forward", "'convolution'"},
                      Refused{"flax_lm_grad", "'cublas_lt_matmul'"},
                      Refused{"fori_matpow", "'cublas_lt_matmul'"},
                      Refused{"linalg_solve", "cusolver_getrf_ffi"},
                      Refused{"matmul_bf16", "'cublas_lt_matmul'"},
                      Refused{"matmul_f32", "'cublas_lt_matmul'"},
                      Refused{"mlp", "'cublas_lt_matmul'"},
                      Refused{"python_callback", "xla_ffi_python_gpu_callback"},
                      Refused{"scan_rnn", "'cublas_lt_matmul'"},
                      Refused{"topk", "topk_k8_float_uint32_t"},
                      Refused{"transformer_block", "'cublas_lt_matmul'"},
                      Refused{"trisolve", "'triangular_solve'"}),
    [](const auto& info) { return std::string(info.param.name); });

class DemoTest : public CliTest {};

TEST_F(DemoTest, RunsFourPrograms) {
  const ProcessResult result = Run("thunky_demo", {Data("fixtures/jax-0.11.2-ptx")});
  EXPECT_EQ(result.exit_code, 0) << result;
  for (const char* program : {"softmax", "while_collatz", "cond", "sort"}) {
    EXPECT_THAT(result.out, HasSubstr(program));
  }
  EXPECT_THAT(result.out, HasSubstr("All results agree."));
  EXPECT_THAT(result.out, Not(HasSubstr("DIFFERS")));
  EXPECT_EQ(Run("thunky_demo", {Path("none")}).exit_code, 2);
}

}  // namespace
}  // namespace thunky::cli_tests
