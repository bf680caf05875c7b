#include "thunky/container/split_proto.h"

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "proto/executable.pb.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;

constexpr char kType[] = "xla.gpu.GpuExecutableProto";

absl::Status MergeInto(wire::GpuExecutableProto& message,
                       const std::string& manifest_text,
                       std::vector<std::string> content) {
  wire::SplitProtoManifest manifest;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(manifest_text, &manifest));
  if (manifest.result_proto_type().empty()) manifest.set_result_proto_type(kType);
  content.insert(content.begin(), manifest.SerializeAsString());
  const std::vector<std::string_view> records(content.begin(), content.end());
  ReadBudget budget;
  ProtoScanner scanner(budget);
  absl::StatusOr<wire::SplitProtoManifest> read =
      ReadSplitProtoManifest(records, scanner);
  if (!read.ok()) return read.status();
  return MergeSplitProto(*read, records, kType, scanner, message);
}

std::string Override(const std::string& path) {
  return "records { field_override_record { field_type: TYPE_STRING " + path + " } } ";
}

std::string OverrideError(const std::string& path) {
  wire::GpuExecutableProto message;
  message.add_thunks();
  return MergeInto(message, Override(path), {"content"}).ToString();
}

constexpr char kMerge[] = "records { proto_merge_record {} } ";

std::string Named(const std::string& name) {
  wire::GpuExecutableProto message;
  message.set_module_name(name);
  message.add_thunks();
  return message.SerializeAsString();
}

TEST(SplitProto, MergesInOrder) {
  wire::GpuExecutableProto message;
  ASSERT_TRUE(MergeInto(message,
                        std::string(kMerge) + Override("field_path { field_number: 8 }") +
                            Override("field_path { field_number: 4 }"),
                        {Named("first"), "second", "\xff"})
                  .ok());
  EXPECT_EQ(message.module_name(), "second");
  EXPECT_EQ(message.binary(), "\xff");
  ASSERT_TRUE(MergeInto(message,
                        Override("field_path { field_number: 8 }") + kMerge + kMerge,
                        {"first", Named("second"), Named("third")})
                  .ok());
  EXPECT_EQ(message.module_name(), "third");
  EXPECT_EQ(message.thunks_size(), 3);
}

TEST(SplitProto, FollowsPaths) {
  wire::GpuExecutableProto message;
  message.add_thunks();
  message.add_thunks();
  // thunks[1].thunk_info.profile_annotation
  ASSERT_TRUE(MergeInto(message,
                        Override("field_path { field_number: 13 repeated_field_index: 1 }"
                                 "field_path { field_number: 1 }"
                                 "field_path { field_number: 1 }"),
                        {"here"})
                  .ok());
  EXPECT_EQ(message.thunks(1).thunk_info().profile_annotation(), "here");
}

TEST(SplitProto, FollowsMapKeys) {
  wire::GpuExecutableProto message;
  (*message.mutable_dnn_compiled_graphs())["old"] = "x";
  const std::string path = "field_path { field_number: 5 string_map_key: ";
  ASSERT_TRUE(MergeInto(message, Override(path + "'old' }") + Override(path + "'new' }"),
                        {"1", "2"})
                  .ok());
  EXPECT_EQ(message.dnn_compiled_graphs().size(), 2u);
  EXPECT_EQ(message.dnn_compiled_graphs().at("old"), "1");
  EXPECT_EQ(message.dnn_compiled_graphs().at("new"), "2");
  EXPECT_THAT(OverrideError("field_path { field_number: 5 }"), HasSubstr("no such key"));
  EXPECT_THAT(OverrideError("field_path { field_number: 5 int_map_key: 1 }"),
              HasSubstr("map with string keys"));
  EXPECT_THAT(OverrideError(path + "'k' } field_path { field_number: 1 }"),
              HasSubstr("value is no message"));
}

TEST(SplitProto, RefusesPathsThatLeadNowhere) {
  EXPECT_THAT(OverrideError(""), HasSubstr("path is empty"));
  EXPECT_THAT(OverrideError("field_path { field_number: 9999 }"),
              HasSubstr("field path part 0: GpuExecutableProto has no field 9999"));
  EXPECT_THAT(OverrideError("field_path { field_number: -1 }"),
              HasSubstr("has no field -1"));
  EXPECT_THAT(OverrideError("field_path { field_number: 8 repeated_field_index: 0 }"),
              HasSubstr("no list and no map"));
  EXPECT_THAT(OverrideError("field_path { field_number: 8 }"
                            "field_path { field_number: 1 }"),
              HasSubstr("module_name is no message"));
  EXPECT_THAT(OverrideError("field_path { field_number: 1 }"),
              HasSubstr("expected a string or bytes field"));
  const std::string thunk = "field_path { field_number: 13 ";
  const std::string rest =
      "} field_path { field_number: 1 }"
      "field_path { field_number: 1 }";
  EXPECT_THAT(OverrideError(thunk + rest), HasSubstr("no index of it"));
  EXPECT_THAT(OverrideError(thunk + "repeated_field_index: 1" + rest),
              HasSubstr("thunks has 1 elements, and the index is 1"));
  EXPECT_THAT(OverrideError(thunk + "repeated_field_index: -1" + rest),
              HasSubstr("the index is -1"));
  EXPECT_THAT(OverrideError(thunk + "repeated_field_index: 9223372036854775807" + rest),
              HasSubstr("the index is 9223372036854775807"));
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "field_path { field_number: 1 }";
  EXPECT_THAT(OverrideError(deep), HasSubstr("has 200 parts"));
}

TEST(SplitProto, RefusesRecordsThatDoNotFitTheManifest) {
  wire::GpuExecutableProto message;
  EXPECT_THAT(MergeInto(message, kMerge, {}).ToString(),
              HasSubstr("expected 1 records after the manifest as it says, found 0"));
  EXPECT_THAT(MergeInto(message, kMerge, {"", ""}).ToString(), HasSubstr("found 2"));
  EXPECT_THAT(MergeInto(message, kMerge, {"\xff"}).ToString(), HasSubstr("record 1: "));
  EXPECT_THAT(MergeInto(message, "records {}", {""}).ToString(),
              HasSubstr("kind that this build does not know"));
  EXPECT_THAT(
      MergeInto(message,
                "records { field_override_record { field_path { field_number: 8 } } }",
                {"x"})
          .ToString(),
      HasSubstr("field override of type 0"));
  EXPECT_THAT(
      MergeInto(message, Override("field_path { field_number: 8 }"), {"\xff"}).ToString(),
      HasSubstr("expected UTF-8"));
  EXPECT_THAT(MergeInto(message, "result_proto_type: 'xla.HloProto'", {}).ToString(),
              HasSubstr("expected the message type xla.gpu.GpuExecutableProto, found "
                        "'xla.HloProto'"));
  ReadBudget budget;
  ProtoScanner scanner(budget);
  EXPECT_THAT(ReadSplitProtoManifest({}, scanner).status().ToString(),
              HasSubstr("found no records"));
}

// As many keys as records, each new: finding them must not take time in their square.
TEST(SplitProto, LimitsTheWorkOnMapKeys) {
  std::string manifest;
  constexpr int kKeys = 20'000;
  for (int i = 0; i < kKeys; ++i) {
    manifest += Override("field_path { field_number: 5 string_map_key: '" +
                         std::to_string(i) + "' }");
  }
  wire::GpuExecutableProto message;
  EXPECT_EQ(MergeInto(message, manifest, std::vector<std::string>(kKeys)).code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace thunky
