#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using testing::ElementsAre;

// `count` f32 elements from allocation 0 to allocation 1.
std::string Buffer(int count, int source, int destination, int offset = 0) {
  return absl::StrCat(
      "buffers { element_count: ", count, " source_buffer { slice { offset: ", offset,
      " size: ", source,
      " } } destination_buffer { slice { buffer_allocation_index: 1 offset: ", offset,
      " size: ", destination, " } } } ");
}

constexpr char kGroups[] =
    "replica_groups { replica_ids: [0, 1] } replica_groups { replica_ids: [3, 2] } ";

std::string Config(const std::string& more = kGroups) {
  return absl::StrCat("collective_config { operand_element_type: F32 ", more, " } ");
}

std::string AllReduce(const std::string& body) {
  return absl::StrCat("all_reduce_thunk { reduction_kind: REDUCTION_KIND_SUM ", body,
                      " }");
}

TEST(CollectiveTest, SourcesAreReadAndDestinationsWritten) {
  const std::string thunk = AllReduce(Config() + Buffer(4, 16, 16));
  EXPECT_THAT(VerifyThunk(thunk), Succeeds());
  EXPECT_THAT(AccessText(thunk),
              ElementsAre("buffers[0].source_buffer read 0 [0, 16)",
                          "buffers[0].destination_buffer write_all 1 [0, 16)"));
  EXPECT_THAT(
      AccessText("all_reduce_thunk { buffers { source_buffer { slice { size: 16 } } "
                 "destination_buffer { slice { size: 16 } } } }"),
      ElementsAre("buffers[0].source_buffer read 0 [0, 16)",
                  "buffers[0].destination_buffer read_write 0 [0, 16)"));
}

TEST(CollectiveTest, PartsThatAllHave) {
  EXPECT_THAT(VerifyThunk(AllReduce(Config())), FailsWith("has no buffers"));
  EXPECT_THAT(
      VerifyThunk(AllReduce(Config() + Buffer(4, 16, 16) + Buffer(4, 16, 16, 16))),
      FailsWith("has 2 buffers and 1 operand element types"));
  EXPECT_THAT(VerifyThunk(AllReduce(Config() + "buffers {}")),
              FailsWith("buffers[0] has no source_buffer"));
  EXPECT_THAT(VerifyThunk(AllReduce(Config() + "buffers { source_buffer { slice {} } }")),
              FailsWith("buffers[0] has no destination_buffer"));
  EXPECT_THAT(VerifyThunk(AllReduce(Config() + Buffer(-1, 16, 16))),
              FailsWith("buffers[0] has element_count -1"));
  EXPECT_THAT(VerifyThunk(AllReduce("collective_config { operand_element_type: S4 } " +
                                    Buffer(4, 16, 16))),
              FailsWith("buffers[0] has element type s4, which is no whole number"));
  EXPECT_THAT(VerifyThunk(AllReduce("collective_config { operand_element_type: 99 } " +
                                    Buffer(4, 16, 16))),
              FailsWith("type 99 is no array element"));
  EXPECT_THAT(VerifyThunk(AllReduce(Config("group_mode: 9") + Buffer(4, 16, 16))),
              FailsWith("group_mode is 9"));
  EXPECT_THAT(VerifyThunk(AllReduce(Config() + Buffer(4, 80, 80))),
              FailsWith("buffers[0].source_buffer has offset 0 and size 80"));
}

TEST(CollectiveTest, GroupsAreDisjoint) {
  EXPECT_THAT(VerifyThunk(AllReduce(Config("replica_groups { replica_ids: [0, 0] }") +
                                    Buffer(4, 16, 16))),
              FailsWith("replica_groups[0] has id 0, which is in a group already"));
  EXPECT_THAT(VerifyThunk(AllReduce(Config("replica_groups { replica_ids: -1 }") +
                                    Buffer(4, 16, 16))),
              FailsWith("replica_groups[0] has id -1"));
  EXPECT_THAT(VerifyThunk(AllReduce(Config("replica_groups {}") + Buffer(4, 16, 16))),
              Succeeds());
  EXPECT_THAT(VerifyThunk(AllReduce(Config("replica_groups { replica_ids: 0 } "
                                           "replica_groups {}") +
                                    Buffer(4, 16, 16))),
              FailsWith("replica_groups[1] has no members"));
  // An all_reduce may have groups of different sizes.
  EXPECT_THAT(VerifyThunk(AllReduce(Config("replica_groups { replica_ids: [0, 1] } "
                                           "replica_groups { replica_ids: 2 }") +
                                    Buffer(4, 16, 16))),
              Succeeds());
}

TEST(AllReduceTest, Rules) {
  EXPECT_THAT(VerifyThunk(AllReduce(Config() + Buffer(4, 16, 12))),
              FailsWith("buffers[0] has 4 elements of f32, a source of 16 bytes and a "
                        "destination of 12 bytes, which do not fit together"));
  EXPECT_THAT(VerifyThunk(AllReduce(Config() + Buffer(3, 16, 16))),
              FailsWith("buffers[0] has 3 elements"));
  for (const int kind : {0, 5}) {
    EXPECT_THAT(VerifyThunk(absl::StrCat("all_reduce_thunk { reduction_kind: ", kind, " ",
                                         Config(), Buffer(4, 16, 16), " }")),
                FailsWith(absl::StrCat("reduction_kind is ", kind)));
  }
}

TEST(AllGatherTest, TheDestinationHoldsEveryMember) {
  const auto gather = [](const std::string& body) {
    return absl::StrCat("all_gather_thunk { ", body, " }");
  };
  EXPECT_THAT(VerifyThunk(gather(Config() + Buffer(4, 16, 32))), Succeeds());
  EXPECT_THAT(VerifyThunk(gather(Config() + Buffer(4, 16, 16))), FailsWith("do not fit"));
  EXPECT_THAT(VerifyThunk(gather(Config("") + Buffer(4, 16, 64))), Succeeds());
  EXPECT_THAT(VerifyThunk(gather(Config("replica_groups { replica_ids: [0, 1] } "
                                        "replica_groups { replica_ids: 2 }") +
                                 Buffer(4, 16, 32))),
              FailsWith("has groups of 2 and of 1 members"));
}

TEST(ReduceScatterTest, EachMemberGetsItsPart) {
  const auto scatter = [](const std::string& body) {
    return absl::StrCat("reduce_scatter_thunk { reduction_kind: REDUCTION_KIND_MAX ",
                        body, " }");
  };
  EXPECT_THAT(VerifyThunk(scatter(Config() + Buffer(8, 32, 16))), Succeeds());
  EXPECT_THAT(
      VerifyThunk(scatter(Config() + Buffer(8, 32, 32))),
      FailsWith("a source of 32 bytes and a destination of 32 bytes in groups of 2"));
  EXPECT_THAT(VerifyThunk(absl::StrCat("reduce_scatter_thunk { ", Config(),
                                       Buffer(8, 32, 16), " }")),
              FailsWith("reduction_kind is 0"));
}

TEST(AllToAllTest, SplitsOneBufferOrPassesOneAMember) {
  const auto all_to_all = [](const std::string& body) {
    return absl::StrCat("all_to_all_thunk { ", body, " }");
  };
  const std::string two = "operand_element_type: F32 ";
  EXPECT_THAT(VerifyThunk(all_to_all("has_split_dimension: true " + Config() +
                                     Buffer(4, 16, 16))),
              Succeeds());
  EXPECT_THAT(VerifyThunk(all_to_all("has_split_dimension: true " + Config() +
                                     Buffer(3, 12, 12))),
              FailsWith("has 3 elements, which 2 members cannot share equally"));
  EXPECT_THAT(VerifyThunk(all_to_all("has_split_dimension: true " + Config(two) +
                                     Buffer(4, 16, 16) + Buffer(4, 16, 16, 16))),
              FailsWith("has 2 buffers; with a split dimension there must be one"));
  EXPECT_THAT(VerifyThunk(all_to_all(Config(two + kGroups) + Buffer(4, 16, 16) +
                                     Buffer(4, 16, 16, 16))),
              Succeeds());
  EXPECT_THAT(VerifyThunk(all_to_all(Config() + Buffer(4, 16, 16))),
              FailsWith("has 1 buffers in groups of 2; without a split dimension"));
  EXPECT_THAT(VerifyThunk(all_to_all(Config(two + kGroups) + Buffer(4, 16, 16) +
                                     Buffer(2, 8, 8, 16))),
              FailsWith("has buffers of different sizes"));
}

TEST(CollectivePermuteTest, PairsAreUnique) {
  const auto permute = [](const std::string& pairs) {
    return absl::StrCat("collective_permute_thunk { ", Config(), Buffer(4, 16, 16), pairs,
                        " }");
  };
  EXPECT_THAT(VerifyThunk(permute("source_target_pairs { source: 0 target: 1 } "
                                  "source_target_pairs { source: 1 target: 0 }")),
              Succeeds());
  EXPECT_THAT(VerifyThunk(permute("source_target_pairs { target: 1 } "
                                  "source_target_pairs { target: 2 }")),
              FailsWith("source_target_pairs[1] has source 0 for the second time"));
  EXPECT_THAT(VerifyThunk(permute("source_target_pairs { source: 1 } "
                                  "source_target_pairs { source: 2 }")),
              FailsWith("source_target_pairs[1] has target 0 for the second time"));
  EXPECT_THAT(VerifyThunk(permute("source_target_pairs { source: -1 }")),
              FailsWith("source_target_pairs[0] is -1 to 0"));
}

TEST(OtherCollectivesTest, Rules) {
  EXPECT_THAT(VerifyThunk(absl::StrCat("collective_broadcast_thunk { ", Config(),
                                       Buffer(4, 16, 16), " }")),
              Succeeds());
  const auto ragged = [](const std::string& more) {
    return absl::StrCat("ragged_all_to_all_thunk { ", Config(), Buffer(4, 16, 16), more,
                        " }");
  };
  EXPECT_THAT(VerifyThunk(ragged("num_input_rows: 2")), Succeeds());
  EXPECT_THAT(VerifyThunk(ragged("num_input_rows: -2")), FailsWith("-2 rows"));
  EXPECT_THAT(AccessText(ragged("")),
              testing::Contains("buffers[0].destination_buffer write 1 [0, 16)"));
  const auto kernel = [](const std::string& more) {
    return absl::StrCat("collective_kernel_thunk { ", Config(), Buffer(4, 16, 16), more,
                        " }");
  };
  EXPECT_THAT(VerifyThunk(kernel("")), Succeeds());
  EXPECT_THAT(VerifyThunk(kernel("shmem_bytes: -1")), FailsWith("-1 bytes"));
  EXPECT_THAT(VerifyThunk(kernel("launch_dimensions {}")), FailsWith("grid x is 0"));
}

TEST(PointToPointTest, Rules) {
  const auto buffer = [](const std::string& kind, const std::string& pairs) {
    return absl::StrCat(kind, " { ", Config(),
                        "buffer { element_count: 4 source_buffer { slice { size: 16 } } "
                        "destination_buffer { slice { size: 16 } } } ",
                        pairs, " }");
  };
  EXPECT_THAT(AccessText(buffer("send_thunk", "")),
              ElementsAre("buffer.source_buffer read 0 [0, 16)"));
  EXPECT_THAT(AccessText(buffer("recv_thunk", "")),
              ElementsAre("buffer.destination_buffer write_all 0 [0, 16)"));
  for (const std::string kind : {"send_thunk", "recv_thunk"}) {
    EXPECT_THAT(VerifyThunk(buffer(kind, "source_target_pairs { target: 1 }")),
                Succeeds());
    EXPECT_THAT(VerifyThunk(buffer(kind, "source_target_pairs { target: -1 }")),
                FailsWith("ids must not be negative"));
    EXPECT_THAT(VerifyThunk(kind + " {}"), FailsWith("buffer is missing"));
  }
}

TEST(CollectiveGroupTest, HoldsCollectivesOnly) {
  const std::string member =
      absl::StrCat("thunks { all_gather_thunk { ", Config(), Buffer(4, 16, 32), " } } ");
  EXPECT_THAT(VerifyThunk(absl::StrCat("collective_group_thunk { ", member, " }")),
              Succeeds());
  EXPECT_THAT(VerifyThunk(absl::StrCat("collective_group_thunk { ", member,
                                       "thunks { memzero_thunk {} } }")),
              FailsWith("holds memzero at 1; only collectives, send and recv"));
  // One of a kind that this build does not know may be a collective.
  EXPECT_THAT(VerifyThunk("collective_group_thunk { thunks {} }"), Succeeds());
}

}  // namespace
}  // namespace thunky::schema
