#include "thunky/container/proto_scan.h"

#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/unknown_field_set.h"
#include "gtest/gtest.h"
#include "proto/executable.pb.h"
#include "proto/split_proto.pb.h"
#include "thunky/container/varint.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;
using Executable = wire::GpuExecutableProto;

absl::Status Merge(const std::string& bytes, google::protobuf::Message& message,
                   uint64_t decoded = uint64_t{100} << 20) {
  ReadBudget budget({.max_decoded_bytes = decoded});
  EXPECT_TRUE(budget.ChargeDecodedBytes(bytes.size(), "test").ok());
  return ProtoScanner(budget).Merge(bytes, message);
}

std::string Error(const std::string& bytes) {
  Executable message;
  return Merge(bytes, message).ToString();
}

std::string Field(uint32_t number, const std::string& content) {
  std::string bytes;
  AppendVarint(uint64_t{number} << 3 | 2, bytes);
  AppendVarint(content.size(), bytes);
  return bytes + content;
}

TEST(ProtoScan, ParsesWhatItAccepts) {
  Executable message;
  message.set_module_name("jit_f");
  message.set_binary("\xff\xfe");
  message.add_thunks()->mutable_thunk_info()->set_thunk_id(-1);
  message.add_thunks();
  (*message.mutable_dnn_compiled_graphs())["key"] = "graph";
  message.mutable_buffer_allocations()->add_values()->add_parameter_shape_index(300);
  message.GetReflection()->MutableUnknownFields(&message)->AddVarint(100'000, 7);
  Executable read;
  ASSERT_TRUE(Merge(message.SerializeAsString(), read).ok());
  EXPECT_EQ(read.DebugString(), message.DebugString());
}

TEST(ProtoScan, KeepsUnknownFieldsOfEveryWireType) {
  Executable message;
  google::protobuf::UnknownFieldSet* fields =
      message.mutable_hlo_module_with_config()->GetReflection()->MutableUnknownFields(
          message.mutable_hlo_module_with_config());
  fields->AddVarint(900, 1);
  fields->AddFixed32(901, 2);
  fields->AddFixed64(902, 3);
  fields->AddLengthDelimited(903, "four");
  fields->AddGroup(904)->AddVarint(1, 5);
  // A known number with a wire type that does not fit.
  fields->AddFixed32(1, 6);
  Executable read;
  const std::string bytes = message.SerializeAsString();
  ASSERT_TRUE(Merge(bytes, read).ok());
  EXPECT_EQ(read.SerializeAsString(), bytes);
}

TEST(ProtoScan, MergesAsProtobufDoes) {
  Executable message;
  message.set_module_name("old");
  message.add_thunks();
  Executable more;
  more.set_module_name("new");
  more.add_thunks();
  ASSERT_TRUE(Merge(more.SerializeAsString(), message).ok());
  EXPECT_EQ(message.module_name(), "new");
  EXPECT_EQ(message.thunks_size(), 2);
}

TEST(ProtoScan, SaysWhereABadFieldIs) {
  EXPECT_THAT(Error(Field(13, Field(1, Field(1, "\xff")))),
              HasSubstr("field thunks.thunk_info.profile_annotation: expected UTF-8"));
  EXPECT_THAT(Error(Field(13, "\x0a\x05xx")),
              HasSubstr("at byte 4, field thunks.thunk_info: a field of 5 bytes begins "
                        "2 bytes before the end"));
  EXPECT_THAT(Error(std::string(3, '\0')), HasSubstr("at byte 0: expected a field tag"));
  EXPECT_THAT(Error("\xff"), HasSubstr("at byte 0: expected a field tag"));
  EXPECT_THAT(Error("\x0c"), HasSubstr("group 1 ends, but did not begin"));
  EXPECT_THAT(Error("\x0b"), HasSubstr("group 1 does not end"));
  EXPECT_THAT(Error("\x0f"), HasSubstr("unknown wire type 7"));
  EXPECT_THAT(Error("\xa5\x06"
                    "abc"),
              HasSubstr("expected 4 bytes, found 3"));
  EXPECT_THAT(Error("\xa1\x06"
                    "abc"),
              HasSubstr("expected 8 bytes, found 3"));
}

TEST(ProtoScan, LeavesTheMessageWhenTheScanFails) {
  Executable message;
  message.set_module_name("kept");
  EXPECT_FALSE(Merge(Field(8, "lost") + std::string(1, '\0'), message).ok());
  EXPECT_EQ(message.module_name(), "kept");
}

// Thunks in sequential thunks: three messages a level.
std::string Nested(int levels) {
  wire::ThunkProto thunk;
  std::string bytes;
  const int sequential =
      thunk.GetDescriptor()->FindFieldByName("sequential_thunk")->number();
  for (int i = 0; i < levels; ++i) {
    bytes = i % 2 == 0 ? Field(1, bytes) : Field(sequential, bytes);
  }
  return Field(13, bytes);
}

bool ProtobufAccepts(const std::string& bytes) {
  Executable message;
  return message.ParseFromString(bytes);
}

TEST(ProtoScan, HasTheDepthLimitOfProtobuf) {
  Executable message;
  // The innermost field of an even number of levels is thunk_info, whose content is
  // empty, so all levels are messages.
  const std::string deepest = Nested(99);
  const std::string too_deep = Nested(100);
  EXPECT_TRUE(ProtobufAccepts(deepest));
  EXPECT_FALSE(ProtobufAccepts(too_deep));
  EXPECT_TRUE(Merge(deepest, message).ok());
  EXPECT_THAT(Error(too_deep), HasSubstr("nested more than 100 deep"));
  EXPECT_THAT(Error(Nested(100'000)), HasSubstr("nested more than 100 deep"));
}

TEST(ProtoScan, HasADepthLimitForUnknownGroups) {
  EXPECT_THAT(Error(std::string(100'000, '\x0b')), HasSubstr("more than 100 deep"));
}

TEST(ProtoScan, RefusesManyTinyMessages) {
  Executable message;
  std::string bytes;
  for (int i = 0; i < 5'000'000; ++i) bytes += std::string("\x6a\0", 2);
  const absl::Status status = Merge(bytes, message);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_EQ(message.thunks_size(), 0);
  // A few are no harm.
  EXPECT_TRUE(Merge(bytes.substr(0, 200'000), message).ok());
  EXPECT_EQ(message.thunks_size(), 100'000);
}

}  // namespace
}  // namespace thunky
