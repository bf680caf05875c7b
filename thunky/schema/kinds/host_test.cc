#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using testing::ElementsAre;

TEST(InfeedTest, Rules) {
  EXPECT_THAT(AccessText("infeed_thunk { dest_slices { slice { size: 8 } } }"),
              ElementsAre("dest_slices[0] write_all 0 [0, 8)"));
  EXPECT_THAT(AccessText("outfeed_thunk { source_slices { slice { size: 8 } } }"),
              ElementsAre("source_slices[0] read 0 [0, 8)"));
  EXPECT_THAT(VerifyThunk("infeed_thunk { dest_slices { slice { size: 65 } } }"),
              FailsWith("dest_slices[0] has offset 0 and size 65"));
  EXPECT_THAT(VerifyThunk("outfeed_thunk { source_slices {} }"),
              FailsWith("source_slices[0] has no slice"));
}

TEST(HostTransferTest, Rules) {
  EXPECT_THAT(AccessText("host_send_thunk { buffer { size: 8 } }"),
              ElementsAre("buffer read 0 [0, 8)"));
  EXPECT_THAT(AccessText("host_recv_thunk { buffer { size: 8 } }"),
              ElementsAre("buffer write_all 0 [0, 8)"));
  EXPECT_THAT(VerifyThunk("host_send_thunk { buffer { size: 8 } }"), Succeeds());
  EXPECT_THAT(VerifyThunk("host_send_thunk {}"), FailsWith("buffer is missing"));
  EXPECT_THAT(VerifyThunk("host_recv_thunk {}"), FailsWith("buffer is missing"));
  EXPECT_THAT(VerifyThunk("host_send_done_thunk {}"), Succeeds());
  EXPECT_THAT(VerifyThunk("host_recv_done_thunk {}"), Succeeds());
}

TEST(HostExecuteTest, Rules) {
  const std::string start =
      "host_execute_start_thunk { executable_proto {} args { slice { size: 8 } } results "
      "{ "
      "slice { offset: 8 size: 8 } } }";
  EXPECT_THAT(VerifyThunk(start), Succeeds());
  EXPECT_THAT(AccessText(start),
              ElementsAre("args[0] read 0 [0, 8)", "results[0] write 0 [8, 16)"));
  EXPECT_THAT(AccessText("host_execute_done_thunk { results { slice { size: 8 } } }"),
              ElementsAre("results[0] write 0 [0, 8)"));
  EXPECT_THAT(VerifyThunk("host_execute_start_thunk {}"),
              FailsWith("executable_proto is missing"));
  EXPECT_THAT(VerifyThunk("host_execute_done_thunk { results {} }"),
              FailsWith("results[0] has no slice"));
}

}  // namespace
}  // namespace thunky::schema
