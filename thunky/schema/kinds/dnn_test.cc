#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using testing::ElementsAre;

std::string Convolution(const std::string& more) {
  return absl::StrCat(
      "convolution_thunk { conv_descriptor {} operand_buffers { slice { size: 16 } } "
      "operand_buffers { slice { offset: 16 size: 16 } } scratch_buffer { "
      "buffer_allocation_index: 2 size: 64 } ",
      more, " }");
}

TEST(ConvolutionTest, Rules) {
  const std::string result =
      "result_buffers { slice { buffer_allocation_index: 1 size: 16 } }";
  EXPECT_THAT(VerifyThunk(Convolution(result)), Succeeds());
  EXPECT_THAT(AccessText(Convolution(result)),
              ElementsAre("operand_buffers[0] read 0 [0, 16)",
                          "operand_buffers[1] read 0 [16, 32)",
                          "result_buffers[0] write_all 1 [0, 16)",
                          "scratch_buffer write_all 2 [0, 64) workspace"));
  EXPECT_THAT(VerifyThunk(Convolution("")), FailsWith("has 2 operands and 0 results"));
  EXPECT_THAT(VerifyThunk("convolution_thunk {}"),
              FailsWith("conv_descriptor is missing"));
  EXPECT_THAT(VerifyThunk(Convolution("result_buffers {}")),
              FailsWith("result_buffers[0] has no slice"));
}

TEST(ConvolutionTest, AResultInAnOperandsPlaceIsReadToo) {
  EXPECT_THAT(AccessText(Convolution("result_buffers { slice { offset: 16 size: 16 } }")),
              testing::Contains("result_buffers[0] read_write 0 [16, 32)"));
}

TEST(ConvolutionReorderTest, Rules) {
  const std::string filters =
      "convolution_reorder_thunk { filter_input { slice { size: 16 } } filter_output { "
      "slice { buffer_allocation_index: 1 size: 16 } } ";
  EXPECT_THAT(VerifyThunk(filters + "}"), Succeeds());
  EXPECT_THAT(AccessText(filters + "biases { bias_input { slice { offset: 16 size: 4 } } "
                                   "bias_output { slice { offset: 20 size: 4 } } } }"),
              ElementsAre("filter_input read 0 [0, 16)", "bias_input read 0 [16, 20)",
                          "bias_output write_all 0 [20, 24)",
                          "filter_output write_all 1 [0, 16)"));
  EXPECT_THAT(VerifyThunk(filters + "biases {} }"), FailsWith("bias_input has no slice"));
  EXPECT_THAT(VerifyThunk("convolution_reorder_thunk {}"),
              FailsWith("filter_input has no"));
}

std::string Norm(const std::string& kind, const std::string& more) {
  return absl::StrCat(
      "norm_thunk { norm_descriptor { backend_config { kind: ", kind,
      " } } x { size: 8 } scale { offset: 8 size: 8 } y_or_dx { buffer_allocation_index: "
      "1 "
      "size: 8 } expectation { offset: 16 size: 8 } norm_factor { offset: 24 size: 8 } "
      "scratch { buffer_allocation_index: 2 size: 8 } ",
      more, " }");
}

TEST(NormTest, TheKindSaysWhatIsWritten) {
  EXPECT_THAT(VerifyThunk(Norm("LAYER_FWD_TRAIN", "")), Succeeds());
  EXPECT_THAT(
      AccessText(Norm("LAYER_FWD_TRAIN", "bias { offset: 32 size: 8 }")),
      ElementsAre("x read 0 [0, 8)", "scale read 0 [8, 16)", "bias read 0 [32, 40)",
                  "expectation write_all 0 [16, 24)", "norm_factor write_all 0 [24, 32)",
                  "y_or_dx write_all 1 [0, 8)", "scratch write_all 2 [0, 8) workspace"));
  EXPECT_THAT(
      AccessText(Norm("LAYER_BWD",
                      "dy { offset: 32 size: 8 } dscale { offset: 40 size: 8 } "
                      "dbias { offset: 48 size: 8 }")),
      ElementsAre("x read 0 [0, 8)", "scale read 0 [8, 16)", "dy read 0 [32, 40)",
                  "expectation read 0 [16, 24)", "norm_factor read 0 [24, 32)",
                  "y_or_dx write_all 1 [0, 8)", "dscale write_all 0 [40, 48)",
                  "dbias write_all 0 [48, 56)", "scratch write_all 2 [0, 8) workspace"));
}

TEST(NormTest, Rules) {
  EXPECT_THAT(VerifyThunk(Norm("9", "")), FailsWith("the norm's kind is 9"));
  EXPECT_THAT(VerifyThunk("norm_thunk {}"), FailsWith("norm_descriptor is missing"));
  EXPECT_THAT(VerifyThunk("norm_thunk { norm_descriptor {} }"),
              FailsWith("x is missing"));
}

TEST(CudnnTest, FlagsSayWhatIsWritten) {
  const std::string thunk =
      "cudnn_thunk { fingerprint: 'f' args { slice { size: 8 } } args { slice { offset: "
      "8 "
      "size: 8 } } output_args: [false, true] }";
  EXPECT_THAT(VerifyThunk(thunk), Succeeds());
  EXPECT_THAT(AccessText(thunk),
              ElementsAre("args[0] read 0 [0, 8)", "args[1] write 0 [8, 16)"));
  EXPECT_THAT(VerifyThunk("cudnn_thunk {}"), FailsWith("fingerprint is missing"));
  EXPECT_THAT(VerifyThunk("cudnn_thunk { fingerprint: 'f' args { slice {} } }"),
              FailsWith("has 1 args and 0 output_args flags"));
}

}  // namespace
}  // namespace thunky::schema
