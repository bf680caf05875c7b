#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using testing::ElementsAre;

std::string Gemm(const std::string& beta) {
  return absl::StrCat("gemm_thunk { gemm_config { beta: ", beta,
                      " } lhs_buffer { size: 16 } rhs_buffer { offset: 16 size: 16 } "
                      "output_buffer { buffer_allocation_index: 1 size: 16 } "
                      "workspace { buffer_allocation_index: 2 size: 8 } }");
}

TEST(GemmTest, TheOutputIsReadWithBeta) {
  EXPECT_THAT(VerifyThunk(Gemm("0")), Succeeds());
  EXPECT_THAT(AccessText(Gemm("0")),
              ElementsAre("lhs_buffer read 0 [0, 16)", "rhs_buffer read 0 [16, 32)",
                          "output_buffer write_all 1 [0, 16)",
                          "workspace write_all 2 [0, 8) workspace"));
  EXPECT_THAT(AccessText(Gemm("1")),
              testing::Contains("output_buffer read_write 1 [0, 16)"));
}

TEST(GemmTest, BuffersArePresent) {
  EXPECT_THAT(VerifyThunk("gemm_thunk {}"), FailsWith("gemm_config is missing"));
  EXPECT_THAT(VerifyThunk("gemm_thunk { gemm_config {} }"), FailsWith("lhs_buffer is"));
  EXPECT_THAT(VerifyThunk("gemm_thunk { gemm_config {} lhs_buffer {} rhs_buffer {} }"),
              FailsWith("output_buffer is missing"));
  EXPECT_THAT(
      VerifyThunk("gemm_thunk { gemm_config {} lhs_buffer { size: 8 } rhs_buffer {} "
                  "output_buffer { offset: 4 size: 8 } }"),
      FailsWith("overlap in part"));
}

std::string Matmul(const std::string& c, const std::string& more,
                   const std::string& config = "gemm_config {}") {
  return absl::StrCat("cublas_lt_matmul_thunk { ", config,
                      " a { slice { size: 16 } } b { slice { offset: 16 size: 16 } } c { "
                      "slice { buffer_allocation_index: 1 ",
                      c, " } } d { slice { buffer_allocation_index: 1 size: 16 } } ",
                      more, " }");
}

TEST(CublasLtMatmulTest, CInThePlaceOfDIsAnUpdate) {
  EXPECT_THAT(
      AccessText(Matmul("size: 16", "")),
      ElementsAre("a read 0 [0, 16)", "b read 0 [16, 32)", "d write_all 1 [0, 16)"));
  EXPECT_THAT(
      AccessText(Matmul("size: 16", "", "gemm_config { beta: 1 }")),
      ElementsAre("a read 0 [0, 16)", "b read 0 [16, 32)", "d read_write 1 [0, 16)"));
  EXPECT_THAT(AccessText(Matmul("size: 16", "", "grouped_gemm_config { beta: 1 }")),
              testing::Contains("d read_write 1 [0, 16)"));
  EXPECT_THAT(AccessText(Matmul("offset: 16 size: 16", "", "gemm_config { beta: 1 }")),
              ElementsAre("a read 0 [0, 16)", "b read 0 [16, 32)", "c read 1 [16, 32)",
                          "d write_all 1 [0, 16)"));
}

TEST(CublasLtMatmulTest, OptionalBuffers) {
  const std::string thunk = Matmul(
      "size: 16",
      "bias { slice { offset: 32 size: 4 } } aux { slice { buffer_allocation_index: "
      "1 offset: 32 size: 16 } } a_scale { slice { offset: 40 size: 4 } } d_amax { "
      "slice { buffer_allocation_index: 1 offset: 64 size: 4 } } group_sizes { slice "
      "{ offset: 44 size: 4 } } workspace { slice { buffer_allocation_index: 2 size: "
      "64 } }");
  EXPECT_THAT(VerifyThunk(thunk), Succeeds());
  EXPECT_THAT(
      AccessText(thunk),
      testing::IsSupersetOf({"bias read 0 [32, 36)", "aux write_all 1 [32, 48)",
                             "a_scale read 0 [40, 44)", "d_amax write_all 1 [64, 68)",
                             "group_sizes read 0 [44, 48)",
                             "workspace write_all 2 [0, 64) workspace"}));
}

TEST(CublasLtMatmulTest, Rules) {
  EXPECT_THAT(VerifyThunk("cublas_lt_matmul_thunk {}"),
              FailsWith("has neither gemm_config nor grouped_gemm_config"));
  EXPECT_THAT(VerifyThunk("cublas_lt_matmul_thunk { gemm_config {} }"),
              FailsWith("a is missing"));
  EXPECT_THAT(VerifyThunk(Matmul("offset: 8 size: 16", "")),
              FailsWith("overlap in part"));
  EXPECT_THAT(VerifyThunk(Matmul("size: 16", "autotune_workspace_size: -1")),
              FailsWith("autotune_workspace_size is -1"));
  EXPECT_THAT(VerifyThunk(Matmul("size: 16", "bias {}")), FailsWith("bias has no slice"));
}

TEST(TriangularSolveTest, SolvesInPlace) {
  const std::string thunk =
      "triangular_solve_thunk { options {} a_buffer { slice { size: 16 } } b_buffer { "
      "slice "
      "{ buffer_allocation_index: 1 size: 16 } } temp_buffer { slice { "
      "buffer_allocation_index: 2 size: 8 } } }";
  EXPECT_THAT(VerifyThunk(thunk), Succeeds());
  EXPECT_THAT(AccessText(thunk),
              ElementsAre("a_buffer read 0 [0, 16)", "b_buffer read_write 1 [0, 16)",
                          "temp_buffer write_all 2 [0, 8) workspace"));
  EXPECT_THAT(VerifyThunk("triangular_solve_thunk {}"), FailsWith("options is missing"));
  EXPECT_THAT(VerifyThunk("triangular_solve_thunk { options {} }"),
              FailsWith("a_buffer is missing"));
}

}  // namespace
}  // namespace thunky::schema
