#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using testing::ElementsAre;

std::string Fft(const std::string& more) {
  return absl::StrCat(
      "fft_thunk { input_buffer { size: 32 } output_buffer { buffer_allocation_index: 1 "
      "size: 32 } input_shape { element_type: C64 dimensions: 4 } output_shape { "
      "element_type: C64 dimensions: 4 } ",
      more, " }");
}

TEST(FftTest, Rules) {
  EXPECT_THAT(VerifyThunk(Fft("fft_length: 4")), Succeeds());
  EXPECT_THAT(AccessText(Fft("")), ElementsAre("input_buffer read 0 [0, 32)",
                                               "output_buffer write_all 1 [0, 32)"));
  EXPECT_THAT(VerifyThunk(Fft("")), FailsWith("has 0 fft_length entries"));
  EXPECT_THAT(VerifyThunk(Fft("fft_length: [1, 1, 1, 1]")),
              FailsWith("has 4 fft_length"));
  EXPECT_THAT(VerifyThunk(Fft("fft_length: -4")), FailsWith("has fft_length -4"));
  EXPECT_THAT(VerifyThunk(Fft("fft_length: 4 fft_type: 9")), FailsWith("fft_type is 9"));
  EXPECT_THAT(VerifyThunk(Fft("fft_length: 4 input_shape { dimensions: 4 }")),
              FailsWith("input_buffer has 32 bytes; its shape c64[4,4] takes 128"));
  EXPECT_THAT(VerifyThunk(Fft("fft_length: 4 output_shape { element_type: TUPLE }")),
              FailsWith("output_buffer has a bad shape"));
  EXPECT_THAT(VerifyThunk("fft_thunk {}"), FailsWith("input_buffer is missing"));
}

std::string SelectK(const std::string& more) {
  return absl::StrCat(
      "select_k_thunk { batch_size: 2 num_elements: 4 k: 1 dtype: F32 args { size: 32 } "
      "args { buffer_allocation_index: 1 size: 8 } ",
      more, " }");
}

TEST(SelectKTest, Rules) {
  const std::string positions = "args { buffer_allocation_index: 2 size: 8 } ";
  EXPECT_THAT(VerifyThunk(SelectK(positions)), Succeeds());
  EXPECT_THAT(AccessText(SelectK(positions)),
              ElementsAre("args[0] read 0 [0, 32)", "args[1] write_all 1 [0, 8)",
                          "args[2] write_all 2 [0, 8)"));
  EXPECT_THAT(VerifyThunk(SelectK("")), FailsWith("has 2 args"));
  EXPECT_THAT(VerifyThunk(SelectK(positions + "k: 5")), FailsWith("k is 5 of 4"));
  EXPECT_THAT(VerifyThunk(SelectK(positions + "dtype: S4")),
              FailsWith("dtype is s4, which is no whole number of bytes"));
  EXPECT_THAT(VerifyThunk(SelectK(positions + "dtype: TOKEN")), FailsWith("token"));
  EXPECT_THAT(
      VerifyThunk(SelectK(positions + "batch_size: 3")),
      FailsWith("args[0] has 32 bytes; 3 rows of 4 elements of 4 bytes are more"));
  EXPECT_THAT(
      VerifyThunk(SelectK(positions + "batch_size: 4294967295 num_elements: 4294967295 "
                                      "dtype: C128")),
      FailsWith("args[0] has 32 bytes"));
  EXPECT_THAT(VerifyThunk(SelectK("args { size: 4 }")), FailsWith("overlap in part"));
}

}  // namespace
}  // namespace thunky::schema
