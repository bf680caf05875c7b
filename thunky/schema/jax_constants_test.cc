#include "thunky/schema/jax_constants.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "thunky/schema/constants.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using google::protobuf::util::MessageDifferencer;
using ::testing::HasSubstr;
using ::testing::Not;

// Constants c.1 and d of 4 bytes, of which the module has the literals 1 and 2, and
// room for a third one in allocation 2.
wire::GpuExecutableProto Compiled() {
  return Program({4, 4, 4}, R"pb(
    binary: "machine code"
    constants { symbol_name: "buffer_for_c_1" }
    constants { symbol_name: "buffer_for_d" allocation_index: 1 }
    hlo_module_with_config {
      hlo_module {
        entry_computation_id: 7
        computations {
          id: 7
          name: "main"
          instructions {
            name: "c.1"
            opcode: "constant"
            id: 30064771072
            literal {
              shape { element_type: U32 }
              u32s: 1
            }
          }
          instructions {
            name: "d"
            opcode: "constant"
            id: 30064771073
            literal {
              shape { element_type: U32 }
              u32s: 2
            }
          }
        }
        schedule {
          sequences {
            key: 7
            value { instruction_ids: [ 30064771072 ] }
          }
        }
      }
    }
  )pb");
}

void Set(wire::GpuExecutableProto* program, int constant, const std::string& bytes) {
  program->mutable_constants(constant)->mutable_content()->set_data(bytes);
}

void Add(wire::GpuExecutableProto* program, const std::string& name) {
  auto* constant = program->add_constants();
  constant->set_symbol_name(name);
  constant->set_allocation_index(2);
  constant->mutable_content()->set_data("new");
}

const wire::HloModuleProto& Module(const wire::GpuExecutableProto& program) {
  return program.hlo_module_with_config().hlo_module();
}

// What jaxlib sees: content does not count.
std::string LiteralOf(wire::GpuExecutableProto program, int constant) {
  return LiteralsOfConstants(program)[static_cast<size_t>(constant)].value_or("none");
}

TEST(ReplaceConstants, LeavesWhatTheModuleSays) {
  wire::GpuExecutableProto program = Compiled();
  ASSERT_THAT(ReplaceConstants(&program), Succeeds());
  EXPECT_TRUE(MessageDifferencer::Equals(program, Compiled()));
  // Inline content that says the same, with or without the zeros at the end.
  Set(&program, 0, std::string("\1\0\0\0", 4));
  Set(&program, 1, "\2");
  const wire::GpuExecutableProto before = program;
  ASSERT_THAT(ReplaceConstants(&program), Succeeds());
  EXPECT_TRUE(MessageDifferencer::Equals(program, before));
}

TEST(ReplaceConstants, PutsChangedBytesUnderTheSameSymbol) {
  wire::GpuExecutableProto program = Compiled();
  Set(&program, 0, "\5");
  ASSERT_THAT(ReplaceConstants(&program), Succeeds());
  EXPECT_EQ(program.constants(0).symbol_name(), "buffer_for_c_1");
  EXPECT_FALSE(program.constants(0).has_content());
  EXPECT_EQ(LiteralOf(program, 0), std::string("\5\0\0\0", 4));
  EXPECT_EQ(LiteralOf(program, 1), std::string("\2\0\0\0", 4));
  EXPECT_EQ(Module(program).computations(0).instructions(0).name(), "c_1_replaced");
  for (const char* symbol : {"buffer_for_c_1", "buffer_for_d"}) {
    EXPECT_THAT(program.binary(), HasSubstr(absl::StrCat(" .b8 ", symbol, "[4];\n")));
  }
  EXPECT_THAT(program.binary(), Not(HasSubstr("machine code")));
  EXPECT_EQ(program.binary().back(), '\0');
}

TEST(ReplaceConstants, AddsAComputationAndItsSchedule) {
  wire::GpuExecutableProto program = Compiled();
  Add(&program, "d");
  Set(&program, 0, "\5");
  ASSERT_THAT(ReplaceConstants(&program), Succeeds());
  // "d" would be the symbol of the other one.
  EXPECT_EQ(program.constants(2).symbol_name(), "buffer_for_d_1");
  EXPECT_EQ(LiteralOf(program, 2), std::string("new\0", 4));
  ASSERT_EQ(Module(program).computations_size(), 2);
  const auto& added = Module(program).computations(1);
  EXPECT_EQ(added.id(), 8);
  ASSERT_EQ(added.instructions_size(), 2);
  EXPECT_EQ(added.instructions(0).id(), int64_t{8} << 32);
  EXPECT_EQ(added.instructions(1).id(), (int64_t{8} << 32) + 1);
  EXPECT_EQ(added.root_id(), added.instructions(1).id());
  const auto& sequences = Module(program).schedule().sequences();
  ASSERT_EQ(sequences.size(), 2u);
  EXPECT_THAT(sequences.at(8).instruction_ids(),
              testing::ElementsAre(added.instructions(0).id(), added.root_id()));
}

TEST(ReplaceConstants, NamesFitInstructionsAndPtx) {
  wire::GpuExecutableProto program = Compiled();
  Add(&program, "buffer_for_x[4]; .global");
  ASSERT_THAT(ReplaceConstants(&program), Succeeds());
  EXPECT_EQ(program.constants(2).symbol_name(), "buffer_for_x_4____global");
  EXPECT_EQ(LiteralOf(program, 2), std::string("new\0", 4));
  program = Compiled();
  Add(&program, "buffer_for_");
  EXPECT_THAT(ReplaceConstants(&program),
              FailsWith("constant 'buffer_for_': has no name"));
}

TEST(ReplaceConstants, RefusesWhatNeedsTheBinary) {
  wire::GpuExecutableProto program = Compiled();
  program.add_thunks()->mutable_kernel_thunk()->set_kernel_name("fusion");
  ASSERT_THAT(ReplaceConstants(&program), Succeeds());
  Add(&program, "x");
  EXPECT_THAT(
      ReplaceConstants(&program),
      FailsWith("thunks[0]: kernel 'fusion' has its code in the module's binary"));
}

TEST(ReplaceConstants, RefusesWhatNoFileCanHold) {
  wire::GpuExecutableProto program = Compiled();
  Add(&program, "large");
  program.mutable_buffer_allocations()->mutable_values(2)->set_size(int64_t{1} << 40);
  EXPECT_THAT(ReplaceConstants(&program),
              FailsWith("constant 'large': has 1099511627776 bytes; a file has room"));
  program = Compiled();
  Add(&program, "x");
  program.mutable_hlo_module_with_config()
      ->mutable_hlo_module()
      ->mutable_computations(0)
      ->set_id(int64_t{1} << 40);
  EXPECT_THAT(ReplaceConstants(&program),
              FailsWith("a computation has id 1099511627776"));
}

}  // namespace
}  // namespace thunky::schema
