#include "thunky/schema/executable_rules.h"

#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

// A memzero of `size` bytes at the start of an allocation.
std::string Zero(int allocation, int64_t size) {
  return absl::StrCat("memzero_thunk { dest_buffer { slice { buffer_allocation_index: ",
                      allocation, " size: ", size, " } } }");
}

std::string Thunks(const std::string& body) {
  return absl::StrCat("thunks { ", body, " } ");
}

std::string Start(int id, const std::string& body = "") {
  return Thunks(absl::StrCat("async_start_thunk { async_execution_id: ", id, " thunks { ",
                             body, " } }"));
}

std::string Done(int id) {
  return Thunks(absl::StrCat("async_done_thunk { async_execution_id: ", id, " }"));
}

std::string While(const std::string& condition, const std::string& body,
                  const std::string& more = "") {
  return Thunks(
      absl::StrCat("while_thunk { condition_result_buffer_index { size: 1 } "
                   "condition_thunk_sequence { ",
                   condition, " } body_thunk_sequence { ", body, " } ", more, " }"));
}

std::string Branches(const std::string& first) {
  return Thunks(absl::StrCat(
      "conditional_thunk { branch_index_buffer { slice { size: 4 } } branch_thunks { ",
      first, " } }"));
}

TEST(VerifyExecutableTest, TakesPlainPrograms) {
  EXPECT_THAT(VerifyProgram({}, ""), Succeeds());
  EXPECT_THAT(VerifyProgram({16}, Thunks(Zero(0, 16))), Succeeds());
}

TEST(VerifyExecutableTest, NamesTheThunk) {
  EXPECT_THAT(
      VerifyProgram({16}, Thunks(Zero(0, 16)) + Thunks(Zero(0, 17))),
      FailsWith("thunks[1]: dest_buffer has offset 0 and size 17, past the end of "
                "allocation 0, which has 16 bytes"));
  EXPECT_THAT(VerifyProgram({16}, While("", Thunks(Zero(0, 16)) + Thunks(Zero(1, 4)),
                                        "trip_count: 2")),
              FailsWith("thunks[0].while.body[1]: dest_buffer refers to allocation 1"));
}

TEST(VerifyExecutableTest, NamesTheAllocation) {
  EXPECT_THAT(VerifyProgram({16, -1}, ""), FailsWith("allocation 1: the size is -1"));
}

TEST(VerifyExecutableTest, UnknownKindsAreUnimplemented) {
  wire::GpuExecutableProto program = Program({}, "thunks {}");
  wire::ThunkProto& thunk = *program.mutable_thunks(0);
  thunk.GetReflection()->MutableUnknownFields(&thunk)->AddVarint(77, 1);
  const absl::Status status = VerifyExecutable(program);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status, FailsWith("thunks[0]: a thunk kind this build does not know "
                                "(field 77)"));
}

TEST(VerifyExecutableTest, UnknownKindsMayBeAllowed) {
  const auto verify = [](const std::string& thunks) {
    return VerifyExecutable(Program({16}, thunks), UnknownKinds::kAllow);
  };
  EXPECT_THAT(verify("thunks {}"), Succeeds());
  // One may write the condition of a loop, and be a member of a group.
  EXPECT_THAT(verify(While("", "")), FailsWith("nothing in the condition region writes"));
  EXPECT_THAT(verify(While("thunks {}", "")), Succeeds());
  EXPECT_THAT(verify("thunks { collective_group_thunk { thunks {} } }"), Succeeds());
  EXPECT_THAT(verify(Thunks(Zero(0, 17)) + "thunks {}"), FailsWith("thunks[0]: "));
}

TEST(VerifyExecutableTest, ChecksSignatureAndConstants) {
  wire::GpuExecutableProto program = Program({16}, "");
  program.clear_program_shape();
  EXPECT_THAT(VerifyExecutable(program), FailsWith("program shape: missing"));
  program = Program({16}, "constants { symbol_name: 'c' }");
  EXPECT_THAT(VerifyExecutable(program), FailsWith("constant 'c': has no content"));
}

TEST(VerifyExecutableTest, ConstantsAreNotWritten) {
  const std::string constant =
      "constants { symbol_name: 'c' content { data: '\\001' } } ";
  EXPECT_THAT(VerifyProgram({16, 16}, constant + Thunks(Zero(1, 16))), Succeeds());
  EXPECT_THAT(VerifyProgram({16, 16}, constant + Thunks(Zero(0, 16))),
              FailsWith("thunks[0]: dest_buffer writes allocation 0 [0, 16), which is a "
                        "constant"));
}

TEST(WhileConditionTest, MustBeWrittenWithoutTripCount) {
  EXPECT_THAT(VerifyProgram({16}, While(Thunks(Zero(0, 1)), "")), Succeeds());
  EXPECT_THAT(VerifyProgram({16}, While("", "", "trip_count: 3")), Succeeds());
  EXPECT_THAT(
      VerifyProgram({16}, While("", Thunks(Zero(0, 1)))),
      FailsWith("thunks[0]: nothing in the condition region writes the condition, "
                "allocation 0 [0, 1)"));
  EXPECT_THAT(VerifyProgram({16, 16}, While(Thunks(Zero(1, 1)), "")),
              FailsWith("nothing in the condition region"));
}

TEST(WhileConditionTest, MayBeWrittenByANestedThunk) {
  EXPECT_THAT(
      VerifyProgram({16},
                    While(Thunks("sequential_thunk { " + Thunks(Zero(0, 1)) + "}"), "")),
      Succeeds());
  EXPECT_THAT(VerifyProgram({16}, While(Branches(Thunks(Zero(0, 4))), "")), Succeeds());
  // An inner loop's condition may be the outer one's as well.
  EXPECT_THAT(VerifyProgram({16}, While(While(Thunks(Zero(0, 1)), ""), "")), Succeeds());
}

// Copies its only parameter's window to its only result's.
std::string Fusion(const std::string& parameter_allocation, int from, int to,
                   const std::string& result_allocation = "0") {
  const std::string shape = "{ element_type: U8 dimensions: 1 }";
  return Thunks(absl::StrCat(
      "dynamic_slice_fusion_thunk { parameters { parameter_shape ", shape,
      " slice_shape ", shape, " } results { result_shape ", shape, " update_shape ",
      shape,
      " } parameter_buffers { size: 1 buffer_allocation_index: ", parameter_allocation,
      " } result_buffers { size: 1 buffer_allocation_index: ", result_allocation,
      " } slice_allocations { size: 1 } slice_allocations { index: 1 size: 1 } "
      "embedded_thunks { thunks { device_to_device_copy_thunk { copy_thunk { mem_size: 1 "
      "source_buffer { slice { size: 1 buffer_allocation_index: ",
      from, " } } destination_buffer { slice { size: 1 buffer_allocation_index: ", to,
      " } } } } } } }"));
}

TEST(EmbeddedThunksTest, CountInTheirOwnAllocations) {
  EXPECT_THAT(VerifyProgram({16, 16}, Fusion("1", 0, 1)), Succeeds());
  EXPECT_THAT(VerifyProgram({16, 16}, Fusion("1", 0, 2)),
              FailsWith("thunks[0].dynamic_slice_fusion.embedded[0]: destination_buffer "
                        "refers to allocation 2"));
}

TEST(EmbeddedThunksTest, WriteResultsOnly) {
  EXPECT_THAT(VerifyProgram({16, 16}, Fusion("1", 1, 0)),
              FailsWith("destination_buffer writes allocation 0 [0, 1), which is a "
                        "parameter of the fusion around it"));
}

TEST(EmbeddedThunksTest, CountAsAccessesByTheFusionsBuffers) {
  EXPECT_THAT(VerifyProgram({16, 16}, While(Fusion("1", 0, 1, "0"), "")), Succeeds());
  // The embedded write to local allocation 1 says nothing about allocation 0.
  EXPECT_THAT(VerifyProgram({16, 16, 16}, While(Fusion("1", 0, 1, "2"), "")),
              FailsWith("nothing in the condition region"));
}

TEST(AsyncTest, EachStartIsJoinedOnceAfterIt) {
  EXPECT_THAT(VerifyProgram({}, Start(1) + Done(1)), Succeeds());
  EXPECT_THAT(VerifyProgram({}, Start(1) + Start(2) + Done(1) + Done(2)), Succeeds());
  EXPECT_THAT(VerifyProgram({}, Start(1)),
              FailsWith("thunks[0] starts async execution 1, which nothing after it"));
  EXPECT_THAT(VerifyProgram({}, Done(1)),
              FailsWith("thunks[0]: joins async execution 1, which nothing before it"));
  EXPECT_THAT(VerifyProgram({}, Done(1) + Start(1)),
              FailsWith("thunks[0]: joins async execution 1"));
  EXPECT_THAT(VerifyProgram({}, Start(1) + Done(1) + Done(1)),
              FailsWith("thunks[2]: joins async execution 1, which thunks[0] starts; it "
                        "is joined already"));
}

TEST(AsyncTest, IdsAreUnique) {
  EXPECT_THAT(
      VerifyProgram({}, Start(1) + Done(1) + Start(1) + Done(1)),
      FailsWith("thunks[2]: starts async execution 1, which thunks[0] starts too"));
  EXPECT_THAT(VerifyProgram({}, Start(1, Start(1) + Done(1)) + Done(1)),
              FailsWith("which thunks[0].async_start.body[0] starts too"));
}

TEST(AsyncTest, BodiesAndSequencesSeeWhatIsAroundThem) {
  EXPECT_THAT(VerifyProgram({}, Start(1) + Start(2, Done(1)) + Done(2)), Succeeds());
  EXPECT_THAT(VerifyProgram({}, Start(1) + Thunks("sequential_thunk { " + Done(1) + "}")),
              Succeeds());
  EXPECT_THAT(VerifyProgram({}, Thunks("sequential_thunk { " + Start(1) + "}") + Done(1)),
              Succeeds());
  EXPECT_THAT(VerifyProgram({}, Start(1, Done(1))),
              FailsWith("thunks[0].async_start.body[0]: joins async execution 1"));
  EXPECT_THAT(VerifyProgram({}, Start(2, Start(1)) + Done(1) + Done(2)),
              FailsWith("thunks[0].async_start.body[0] starts async execution 1, which "
                        "nothing after it joins"));
}

// Many starts far down: what is kept of each must not be its path.
TEST(AsyncTest, ManyNestedStartsAreCheap) {
  wire::GpuExecutableProto program = Program({}, "");
  wire::ThunkProto* at = program.add_thunks();
  for (int i = 0; i < 200; ++i) at = at->mutable_sequential_thunk()->add_thunks();
  wire::SequentialThunkProto& list = *at->mutable_sequential_thunk();
  for (int i = 0; i < 50000; ++i) {
    list.add_thunks()->mutable_async_start_thunk()->set_async_execution_id(i);
  }
  for (int i = 0; i < 50000; ++i) {
    list.add_thunks()->mutable_async_done_thunk()->set_async_execution_id(i);
  }
  EXPECT_THAT(VerifyExecutable(program), Succeeds());
}

TEST(AsyncTest, OtherRegionsDoNot) {
  EXPECT_THAT(
      VerifyProgram({16}, Start(1) + While("", Done(1), "trip_count: 1")),
      FailsWith("thunks[1].while.body[0]: joins async execution 1, which thunks[0] "
                "starts; it is joined already or in another region"));
  EXPECT_THAT(VerifyProgram({16}, While("", Start(1), "trip_count: 1") + Done(1)),
              FailsWith("thunks[0].while.body[0] starts async execution 1"));
  EXPECT_THAT(VerifyProgram({16}, Branches(Start(1) + Done(1))), Succeeds());
  EXPECT_THAT(VerifyProgram({16}, Start(1) + Branches(Done(1)) + Done(1)),
              FailsWith("thunks[1].conditional.branches[0][0]: joins"));
}

}  // namespace
}  // namespace thunky::schema
