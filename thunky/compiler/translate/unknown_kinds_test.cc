// Thunks of kinds that this build does not know: kept as they are, with the allocation
// numbers that they may refer to.
#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/test_modules.h"

namespace thunky::compiler {
namespace {

using google::protobuf::util::MessageDifferencer;
using ::testing::AllOf;
using ::testing::HasSubstr;

// A field number that no kind has, and the end of the field numbers of kinds.
constexpr int kUnknownField = 62;

// A parameter and a result in allocations 3 and 1, a constant in 2, and 0 and 4 that
// nothing is known about.
constexpr char kProgram[] = R"pb(
  module_name: "newer"
  program_shape {
    parameters { element_type: U8 dimensions: 16 }
    parameter_names: "x"
    result { element_type: U8 dimensions: 16 }
  }
  buffer_allocations {
    values { index: 0 size: 4 is_thread_local: true }
    values { index: 1 size: 16 maybe_live_out: true }
    values { index: 2 size: 16 is_constant: true }
    values { index: 3 size: 16 is_entry_computation_parameter: true }
    values { index: 4 size: 64 }
  }
  output_info_map {
    shape_index {}
    output_info { allocation_index: 1 }
  }
  constants {
    symbol_name: "c"
    content { data: "0123456789abcdef" }
    allocation_index: 2
  }
  thunks {
    thunk_info { profile_annotation: "zero" thunk_id: 1 }
    memzero_thunk {
      dest_buffer {
        slice { size: 16 buffer_allocation_index: 1 }
        shape { element_type: U8 dimensions: 16 }
      }
    }
  }
)pb";

wire::ThunkProto unknownThunk(int id) {
  wire::ThunkProto thunk;
  thunk.mutable_thunk_info()->set_profile_annotation("quantum");
  thunk.mutable_thunk_info()->set_thunk_id(id);
  thunk.GetReflection()->MutableUnknownFields(&thunk)->AddLengthDelimited(
      kUnknownField, std::string("\x12\x02\x08\x03", 4));
  return thunk;
}

wire::GpuExecutableProto program() {
  wire::GpuExecutableProto program;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kProgram, &program));
  *program.add_thunks() = unknownThunk(2);
  return program;
}

std::string textOf(const wire::GpuExecutableProto& executable) {
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(executable));
  EXPECT_TRUE(module) << compiler.diagnostics();
  return module ? writeText(*module, false) : "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in " << text;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string differences(const wire::GpuExecutableProto& a,
                        const wire::GpuExecutableProto& b) {
  std::string report;
  MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&report);
  differencer.Compare(a, b);
  return report;
}

TEST(UnknownKinds, ComeBackWithTheirNumbers) {
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(program()));
  ASSERT_TRUE(module) << compiler.diagnostics();
  EXPECT_TRUE((*module)->hasAttr(kKeepAllocations));
  EXPECT_EQ(thunkOpsOf(*module), "thunky.memzero, thunky.call_thunk_proto");
  const std::string text = writeText(*module, false);
  const std::string bytecode = writeBytecode(*module);
  EXPECT_THAT(text, AllOf(HasSubstr("\"unknown_kind_62\""), HasSubstr("thunky.scratch"),
                          HasSubstr("thunky.allocation")));
  for (const std::string& form : {text, bytecode}) {
    TestCompiler second;
    const auto again = second.read(form);
    ASSERT_TRUE(again) << second.diagnostics();
    EXPECT_EQ(writeText(*again, false), text);
    const auto exported = second.exportFrom(*again);
    ASSERT_TRUE(exported.has_value()) << second.diagnostics();
    EXPECT_EQ(differences(exported->executable, program()), "");
    EXPECT_EQ(textOf(exported->executable), text);
  }
}

TEST(UnknownKinds, AreKeptInRegionsAndGroups) {
  wire::GpuExecutableProto nested = program();
  auto* loop = nested.add_thunks();
  loop->mutable_thunk_info()->set_thunk_id(3);
  loop->mutable_while_thunk()->set_trip_count(2);
  loop->mutable_while_thunk()->mutable_condition_thunk_sequence();
  auto* condition = loop->mutable_while_thunk()->mutable_condition_result_buffer_index();
  condition->set_buffer_allocation_index(4);
  condition->set_size(1);
  condition->set_element_type(wire::PRED);
  *loop->mutable_while_thunk()->mutable_body_thunk_sequence()->add_thunks() =
      unknownThunk(4);
  auto* group = nested.add_thunks();
  group->mutable_thunk_info()->set_thunk_id(5);
  *group->mutable_collective_group_thunk()->add_thunks() = unknownThunk(6);
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(nested));
  ASSERT_TRUE(module) << compiler.diagnostics();
  const auto exported = compiler.exportFrom(*module);
  ASSERT_TRUE(exported.has_value()) << compiler.diagnostics();
  wire::GpuExecutableProto got = exported->executable;
  wire::GpuExecutableProto& want = nested;
  EXPECT_EQ(got.thunks_size(), want.thunks_size());
  const auto body = [](const wire::GpuExecutableProto& executable) {
    return executable.thunks(2).while_thunk().body_thunk_sequence().thunks(0);
  };
  EXPECT_TRUE(MessageDifferencer::Equals(body(got), body(want)));
  EXPECT_TRUE(MessageDifferencer::Equals(got.thunks(3).collective_group_thunk().thunks(0),
                                         unknownThunk(6)));
}

// A result that is a constant becomes a copy, which needs one allocation more; those
// that there were keep their numbers.
TEST(UnknownKinds, ResultsThatAreConstantsComeLast) {
  wire::GpuExecutableProto constant = program();
  constant.mutable_thunks()->DeleteSubrange(0, 1);
  constant.mutable_output_info_map(0)->mutable_output_info()->set_allocation_index(2);
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(constant));
  ASSERT_TRUE(module) << compiler.diagnostics();
  const std::string text = writeText(*module, false);
  const auto exported = compiler.exportFrom(*module);
  ASSERT_TRUE(exported.has_value()) << compiler.diagnostics();
  EXPECT_EQ(exported->executable.output_info_map(0).output_info().allocation_index(), 5);
  EXPECT_EQ(exported->executable.constants(0).allocation_index(), 2);
  EXPECT_EQ(textOf(exported->executable), text);
}

TEST(UnknownKinds, EditsThatChangeNumbersAreRefused) {
  const std::string text = textOf(program());
  TestCompiler compiler;
  ASSERT_EQ(compiler.errorOf(text), "");
  const auto errorOf = [&](const std::string& from, const std::string& to) {
    return TestCompiler().errorOf(replaced(text, from, to));
  };
  const std::string keep = "allocations must keep the numbers of the imported program";
  EXPECT_THAT(errorOf("@main(", "@main(%new: !thunky.buffer<8> {thunky.scratch}, "),
              AllOf(HasSubstr("the thunk 'unknown_kind_62'"), HasSubstr(keep),
                    HasSubstr("argument 0 is new")));
  EXPECT_THAT(errorOf("    thunky.memzero",
                      "    %new = thunky.constant dense<1> : tensor<4xui8> -> <4>\n"
                      "    thunky.memzero"),
              AllOf(HasSubstr(keep), HasSubstr("there is a new constant")));
  // An operand that is another allocation, or a part of one.
  EXPECT_THAT(errorOf("thunky.keep_allocations, ", ""),
              AllOf(HasSubstr("a thunk of a kind this build does not know"),
                    HasSubstr("operand 0 is allocation")));
}

TEST(UnknownKinds, RemovedAllocationsAreRefused) {
  wire::GpuExecutableProto small;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        program_shape { result { element_type: TUPLE } }
        buffer_allocations {
          values { size: 4 }
          values { index: 1 size: 8 }
        }
      )pb",
      &small));
  *small.add_thunks() = unknownThunk(1);
  std::string text = textOf(small);
  text = replaced(text,
                  ", %arg1: !thunky.buffer<8> {thunky.allocation = 1 : i64, "
                  "thunky.scratch}",
                  "");
  text = replaced(text, ", %arg1 : <8>)", ")");
  EXPECT_THAT(TestCompiler().errorOf(text),
              AllOf(HasSubstr("module:3:5: "), HasSubstr("the thunk 'unknown_kind_62'"),
                    HasSubstr("allocation 1 is no argument and no constant")));
}

TEST(UnknownKinds, ListsOfOperandsAreBounded) {
  wire::GpuExecutableProto large;
  large.mutable_program_shape()->mutable_result()->set_element_type(wire::TUPLE);
  for (int i = 0; i < 3000; ++i) {
    auto* allocation = large.mutable_buffer_allocations()->add_values();
    allocation->set_index(i);
    allocation->set_size(1);
    *large.add_thunks() = unknownThunk(i + 1);
  }
  TestCompiler compiler;
  EXPECT_FALSE(compiler.import(bareFile(large)));
  EXPECT_THAT(compiler.diagnostics(), AllOf(HasSubstr("thunks[1398]: "),
                                            HasSubstr("more than 4194304 operands")));
}

}  // namespace
}  // namespace thunky::compiler
