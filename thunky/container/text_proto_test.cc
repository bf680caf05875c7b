#include "thunky/container/text_proto.h"

#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "proto/executable.pb.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

absl::Status Parse(const std::string& text, wire::GpuExecutableProto& message) {
  ReadBudget budget;
  EXPECT_TRUE(budget.ChargeDecodedBytes(text.size(), "test").ok());
  MessageShapes shapes;
  return ParseTextProto(text, shapes, budget, message);
}

std::string Error(const std::string& text) {
  wire::GpuExecutableProto message;
  return std::string(Parse(text, message).message());
}

TEST(TextProto, ParsesAllForms) {
  wire::GpuExecutableProto message;
  ASSERT_TRUE(Parse(R"(
      # A comment with { braces.
      module_name: "jit_{" "f"
      thunks { thunk_info: < thunk_id: 1 > }
      thunks: [ { thunk_info { thunk_id: 2 } }, {} ]
      buffer_allocations { values { parameter_shape_index: [1, 2] color: -3 } }
      dnn_compiled_graphs { key: "k" value: "\377\"" }
      )",
                    message)
                  .ok());
  EXPECT_EQ(message.module_name(), "jit_{f");
  ASSERT_EQ(message.thunks_size(), 3);
  EXPECT_EQ(message.thunks(1).thunk_info().thunk_id(), 2);
  EXPECT_EQ(message.dnn_compiled_graphs().at("k"), "\xff\"");
}

TEST(TextProto, SaysLineAndColumn) {
  EXPECT_THAT(Error("module_name: \"a\"\n  nonsense: 1\n"), StartsWith("2:11: "));
  EXPECT_THAT(Error("thunks {"), StartsWith("1:"));
  EXPECT_THAT(Error("thunks }"), StartsWith("1:8: "));
  EXPECT_THAT(Error("module_name: \"open"), StartsWith("1:"));
  EXPECT_THAT(Error("module_name: 5"), StartsWith("1:14: "));
}

TEST(TextProto, RefusesStringsThatAreNotUtf8) {
  EXPECT_THAT(Error("module_name: \"\\377\""), HasSubstr("module_name: expected UTF-8"));
}

TEST(TextProto, LimitsDepth) {
  for (const int levels : {200, 1'000'000}) {
    std::string text;
    for (int i = 0; i < levels; ++i) text += "thunks {\n";
    EXPECT_THAT(Error(text), StartsWith("101:8: messages are nested more than 100"));
  }
}

TEST(TextProto, RefusesManyTinyMessages) {
  std::string text = "buffer_allocations { values: [{}";
  for (int i = 0; i < 1'000'000; ++i) text += ",{}";
  wire::GpuExecutableProto message;
  EXPECT_EQ(Parse(text + "] }", message).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_FALSE(message.has_buffer_allocations());
}

}  // namespace
}  // namespace thunky
