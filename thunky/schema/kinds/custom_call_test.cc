#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

constexpr char kCall[] = R"pb(
  custom_call_thunk {
    target_name: "f"
    operands { shaped_slice { slice { size: 16 } } }
    operands {}
    results {}
    results { shaped_slice { slice { size: 16 } } }
    results { shaped_slice { slice { buffer_allocation_index: 1 size: 8 } } }
  }
)pb";

TEST(CustomCallTest, OperandsAreReadAndResultsWritten) {
  EXPECT_THAT(VerifyThunk(kCall), Succeeds());
  EXPECT_THAT(AccessText(kCall), testing::ElementsAre("operands[0] read 0 [0, 16)",
                                                      "results[1] write 0 [0, 16)",
                                                      "results[2] write 1 [0, 8)"));
}

TEST(CustomCallTest, Rules) {
  EXPECT_THAT(VerifyThunk("custom_call_thunk {}"), FailsWith("target_name is missing"));
  EXPECT_THAT(
      VerifyThunk("custom_call_thunk { target_name: 'f' operands { shaped_slice { "
                  "slice { size: 65 } } } }"),
      FailsWith("operands[0] has offset 0 and size 65, past the end"));
  EXPECT_THAT(VerifyThunk("custom_call_thunk { target_name: 'f' results { shaped_slice { "
                          "slice { size: 4 } shape { element_type: F64 } } } }"),
              FailsWith("results[0] has 4 bytes; its shape f64[] takes 8"));
  EXPECT_THAT(VerifyThunk("custom_call_thunk { target_name: 'f' results { shaped_slice { "
                          "slice { size: 12 } shape { element_type: F64 } } } }"),
              FailsWith("results[0] has 12 bytes; its shape f64[] takes 8, which must be "
                        "all"));
  EXPECT_THAT(
      VerifyThunk("custom_call_thunk { target_name: 'f' operands { shaped_slice { "
                  "slice { size: 8 } } } results { shaped_slice { slice { "
                  "offset: 4 size: 8 } } } }"),
      FailsWith("operands[0] (allocation 0 [0, 8), read) and results[0]"));
  EXPECT_THAT(
      VerifyThunk("custom_call_thunk { target_name: 'f' operands { shaped_slice {} } }"),
      FailsWith("operands[0] has no slice"));
}

}  // namespace
}  // namespace thunky::schema
