#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

std::string Conditional(int size, int branches) {
  std::string text = absl::StrCat(
      "conditional_thunk { branch_index_buffer { slice { size: ", size, " } } ");
  for (int i = 0; i < branches; ++i) absl::StrAppend(&text, "branch_thunks {} ");
  return text + "}";
}

TEST(ConditionalTest, ReadsItsIndex) {
  EXPECT_THAT(AccessText(Conditional(4, 1)),
              testing::ElementsAre("branch_index_buffer read 0 [0, 4)"));
}

TEST(ConditionalTest, IndexSizeAndBranches) {
  EXPECT_THAT(VerifyThunk(Conditional(1, 2)), Succeeds());
  EXPECT_THAT(VerifyThunk(Conditional(4, 1)), Succeeds());
  EXPECT_THAT(VerifyThunk(Conditional(4, 5)), Succeeds());
  EXPECT_THAT(VerifyThunk(Conditional(1, 3)), FailsWith("has 3 branches; with an index"));
  EXPECT_THAT(VerifyThunk(Conditional(1, 1)), FailsWith("has 1 branches"));
  EXPECT_THAT(VerifyThunk(Conditional(4, 0)), FailsWith("has no branch"));
  EXPECT_THAT(VerifyThunk(Conditional(8, 2)),
              FailsWith("branch_index_buffer has 8 bytes; 1 (a bool) or 4 (an i32)"));
  EXPECT_THAT(VerifyThunk("conditional_thunk { branch_thunks {} }"),
              FailsWith("branch_index_buffer is missing"));
}

TEST(ConditionalTest, BranchesAreNumbered) {
  const auto thunk = Parse<wire::ThunkProto>(Conditional(1, 2));
  const auto children = ChildrenOf(ThunkKind::kConditional, thunk);
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(children[0].label, "branches[0]");
  EXPECT_EQ(children[1].label, "branches[1]");
  EXPECT_FALSE(children[0].loop);
}

constexpr char kRegions[] = "condition_thunk_sequence {} body_thunk_sequence {} ";

std::string While(const std::string& fields) {
  return absl::StrCat("while_thunk { ", fields, " }");
}

TEST(WhileTest, ReadsItsConditionAndLoops) {
  const auto thunk = Parse<wire::ThunkProto>(
      While(absl::StrCat(kRegions, "condition_result_buffer_index { size: 1 }")));
  EXPECT_EQ(AccessesOf(ThunkKind::kWhile, thunk)[0].mode, AccessMode::kRead);
  const auto children = ChildrenOf(ThunkKind::kWhile, thunk);
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(children[0].label, "cond");
  EXPECT_EQ(children[1].label, "body");
  EXPECT_TRUE(children[0].loop);
  EXPECT_TRUE(children[1].loop);
}

TEST(WhileTest, Rules) {
  const std::string condition = "condition_result_buffer_index { size: 1 } ";
  EXPECT_THAT(VerifyThunk(While(condition + kRegions)), Succeeds());
  EXPECT_THAT(VerifyThunk(While(condition + kRegions + "trip_count: 0")), Succeeds());
  EXPECT_THAT(VerifyThunk(While(condition + kRegions + "trip_count: -1")),
              FailsWith("trip_count is -1"));
  EXPECT_THAT(VerifyThunk(While(kRegions)),
              FailsWith("condition_result_buffer_index is missing"));
  EXPECT_THAT(VerifyThunk(While(condition + "body_thunk_sequence {}")),
              FailsWith("condition_thunk_sequence is missing"));
  EXPECT_THAT(VerifyThunk(While(condition + "condition_thunk_sequence {}")),
              FailsWith("body_thunk_sequence is missing"));
  EXPECT_THAT(VerifyThunk(While(
                  absl::StrCat(kRegions, "condition_result_buffer_index { size: 4 }"))),
              FailsWith("condition_result_buffer_index has 4 bytes; it must have 1"));
}

TEST(SequentialTest, HoldsOneListWithoutALabel) {
  const auto thunk =
      Parse<wire::ThunkProto>("sequential_thunk { thunks { memzero_thunk {} } }");
  const auto children = ChildrenOf(ThunkKind::kSequential, thunk);
  ASSERT_EQ(children.size(), 1u);
  EXPECT_EQ(children[0].label, "");
  EXPECT_EQ(children[0].thunks->size(), 1);
}

TEST(AsyncStartTest, StreamIdsFitSigned64Bits) {
  EXPECT_THAT(VerifyThunk("async_start_thunk { computation_stream_id: 3 }"), Succeeds());
  EXPECT_THAT(VerifyThunk("async_start_thunk {}"), Succeeds());
  for (const std::string field : {"computation_stream_id", "communication_stream_id"}) {
    EXPECT_THAT(VerifyThunk(absl::StrCat("async_start_thunk { ", field,
                                         ": 9223372036854775808 }")),
                FailsWith("the stream id is 9223372036854775808"));
  }
}

}  // namespace
}  // namespace thunky::schema
