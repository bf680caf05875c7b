#include "thunky/container/message_walk.h"

#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/unknown_field_set.h"
#include "gtest/gtest.h"
#include "proto/executable.pb.h"
#include "thunky/container/proto_scan.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Error(const wire::GpuExecutableProto& executable) {
  return std::string(CheckReadable(executable).message());
}

void AddUnknown(google::protobuf::Message* message, int number) {
  message->GetReflection()->MutableUnknownFields(message)->AddVarint(number, 1);
}

// Loops inside each other; the innermost body is this many messages deep.
wire::GpuExecutableProto Nested(int depth) {
  wire::GpuExecutableProto executable;
  wire::ThunkProto* thunk = executable.add_thunks();
  for (int level = 1; level + 3 <= depth; level += 3) {
    thunk = thunk->mutable_while_thunk()->mutable_body_thunk_sequence()->add_thunks();
  }
  const int left = (depth - 1) % 3;
  if (left >= 1) thunk->mutable_while_thunk();
  if (left >= 2) thunk->mutable_while_thunk()->mutable_body_thunk_sequence();
  return executable;
}

TEST(CheckReadable, NamesTheStringThatIsNotUtf8) {
  wire::GpuExecutableProto executable;
  executable.add_thunks()->mutable_thunk_info()->set_profile_annotation("caf\xc3\xa9");
  executable.set_binary("\xff");  // bytes may be anything
  EXPECT_EQ(Error(executable), "");
  executable.add_thunks()->mutable_thunk_info()->set_profile_annotation("caf\xe9");
  EXPECT_EQ(Error(executable),
            "thunks[1].thunk_info.profile_annotation: expected UTF-8 text");
  executable.clear_thunks();
  executable.mutable_program_shape()->add_parameter_names("good");
  executable.mutable_program_shape()->add_parameter_names("\xff");
  EXPECT_EQ(Error(executable), "program_shape.parameter_names[1]: expected UTF-8 text");
}

// What passes here passes the reader's scan, and the other way round.
TEST(CheckReadable, AllowsTheDepthThatTheReaderAllows) {
  for (int depth = kMaxMessageDepth - 4; depth <= kMaxMessageDepth + 4; ++depth) {
    const wire::GpuExecutableProto executable = Nested(depth);
    const std::string bytes = executable.SerializeAsString();
    ReadBudget budget;
    ProtoScanner scanner(budget);
    wire::GpuExecutableProto read;
    const absl::Status scanned = scanner.Merge(bytes, read);
    EXPECT_EQ(CheckReadable(executable).ok(), scanned.ok()) << depth << ": " << scanned;
    EXPECT_EQ(scanned.ok(), depth <= kMaxMessageDepth) << depth;
  }
  EXPECT_THAT(Error(Nested(kMaxMessageDepth + 1)),
              StartsWith("thunks[0].while_thunk.body_thunk_sequence.thunks[0]."));
  EXPECT_THAT(Error(Nested(10'000)), HasSubstr("nested more than 100 deep"));
}

TEST(FirstUnknownField, SaysWhereItIs) {
  wire::GpuExecutableProto executable;
  executable.add_thunks();
  executable.add_thunks()->mutable_thunk_info();
  EXPECT_EQ(FirstUnknownField(executable), "");
  AddUnknown(executable.mutable_thunks(1)->mutable_thunk_info(), 77);
  EXPECT_EQ(FirstUnknownField(executable), "thunks[1].thunk_info, field 77");
  AddUnknown(&executable, 88);
  EXPECT_EQ(FirstUnknownField(executable), "field 88");
}

}  // namespace
}  // namespace thunky
