#include "thunky/tooling/message_diff.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "proto/executable.pb.h"

namespace thunky::tooling {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

template <typename Proto>
Proto Parse(const std::string& text) {
  Proto proto;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &proto)) << text;
  return proto;
}

// "field: a -> b" of each difference.
template <typename Proto = wire::GpuExecutableProto>
std::vector<std::string> Diff(const std::string& a, const std::string& b,
                              const DiffRules& rules = {}) {
  std::vector<std::string> lines;
  const Proto message_a = Parse<Proto>(a);
  const Proto message_b = Parse<Proto>(b);
  DiffMessages(message_a, message_b, rules, [&](const FieldDifference& field) {
    lines.push_back(absl::StrCat(field.path, ": ", field.a, " -> ", field.b));
  });
  EXPECT_EQ(lines.empty(),
            HashMessage(message_a, rules) == HashMessage(message_b, rules));
  return lines;
}

TEST(MessageDiffTest, Scalars) {
  EXPECT_THAT(Diff("module_name: 'a'", "module_name: 'a'"), IsEmpty());
  EXPECT_THAT(Diff("module_name: 'a'", "module_name: 'b'"),
              ElementsAre("module_name: 'a' -> 'b'"));
  EXPECT_THAT(Diff("module_name: 'a'", ""), ElementsAre("module_name: 'a' -> ''"));
  EXPECT_THAT(Diff<wire::ThunkProto>("while_thunk { trip_count: 0 }", "while_thunk {}"),
              ElementsAre("while_thunk.trip_count: 0 -> absent"));
}

TEST(MessageDiffTest, LongTextsByTheirHash) {
  const std::string text(100, 'x');
  EXPECT_THAT(Diff(absl::StrCat("asm_text: '", text, "'"),
                   absl::StrCat("asm_text: '", text, "y'")),
              ElementsAre(StartsWith("asm_text: 100 bytes, hash ")));
}

TEST(MessageDiffTest, MessagesThatOnlyOneHas) {
  EXPECT_THAT(Diff<wire::ThunkProto>("memzero_thunk {}", "cudnn_thunk {}").size(), 2u);
  EXPECT_THAT(Diff("program_shape {}", ""), ElementsAre("program_shape: {  } -> absent"));
}

TEST(MessageDiffTest, RepeatedFieldsByPosition) {
  EXPECT_THAT(Diff<wire::ShapeProto>("dimensions: [1, 2]", "dimensions: [1, 3, 4]"),
              ElementsAre("dimensions[1]: 2 -> 3", "dimensions[2]: absent -> 4"));
}

TEST(MessageDiffTest, MapsByTheirKeys) {
  const std::string one = "dnn_compiled_graphs { key: 'a' value: '1' } ";
  const std::string two = "dnn_compiled_graphs { key: 'b' value: '2' } ";
  EXPECT_THAT(Diff(one + two, two + one), IsEmpty());
  EXPECT_THAT(Diff(one, two).size(), 2u);
  EXPECT_THAT(Diff(one + two, one + "dnn_compiled_graphs { key: 'b' value: '3' }"),
              ElementsAre("dnn_compiled_graphs['b'].value: '2' -> '3'"));
}

std::string SymbolOf(const google::protobuf::Message& element) {
  return dynamic_cast<const wire::GpuExecutableProto::ConstantInfoProto&>(element)
      .symbol_name();
}

TEST(MessageDiffTest, NamedElements) {
  const DiffRules rules = {
      .treatments = {},
      .named = {{"thunky.wire.GpuExecutableProto.constants", SymbolOf}}};
  const std::string a = "constants { symbol_name: 'a' allocation_index: 1 } ";
  const std::string b = "constants { symbol_name: 'b' } ";
  std::vector<std::string> lines;
  DiffMessages(Parse<wire::GpuExecutableProto>(a + b),
               Parse<wire::GpuExecutableProto>(b + a), rules,
               [&](const FieldDifference& field) { lines.push_back(field.path); });
  EXPECT_THAT(lines, IsEmpty());
  EXPECT_THAT(Diff(a + b, "constants { symbol_name: 'a' allocation_index: 2 }", rules),
              ElementsAre("constants[a].allocation_index: 1 -> 2",
                          "constants[b]: { symbol_name: \"b\" } -> absent"));
  // Of one name, first with first.
  EXPECT_THAT(Diff(b + b, b, rules).size(), 1u);
}

TEST(MessageDiffTest, Treatments) {
  const DiffRules rules = {
      .treatments = {{"thunky.wire.GpuExecutableProto.module_name",
                      FieldTreatment::kIgnore},
                     {"thunky.wire.ProgramShapeProto", FieldTreatment::kOpaque}},
      .named = {}};
  EXPECT_THAT(Diff("module_name: 'a'", "module_name: 'b'", rules), IsEmpty());
  EXPECT_THAT(Diff("program_shape { parameter_names: 'a' }",
                   "program_shape { parameter_names: 'b' }", rules),
              ElementsAre("program_shape: '\\x1a\\x01\\x61' -> '\\x1a\\x01\\x62'"));
  EXPECT_THAT(Diff("program_shape { parameter_names: 'a' }",
                   "program_shape { parameter_names: 'a' }", rules),
              IsEmpty());
}

}  // namespace
}  // namespace thunky::tooling
