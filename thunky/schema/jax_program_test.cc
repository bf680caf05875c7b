#include "thunky/schema/jax_program.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "thunky/container/executable_writer.h"
#include "thunky/container/fixture_files.h"
#include "thunky/schema/constants.h"
#include "thunky/schema/executable_rules.h"
#include "thunky/schema/signature.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using google::protobuf::util::MessageDifferencer;
using ::testing::HasSubstr;
using ::testing::StartsWith;

JaxTarget Target() { return *JaxTargetOf("9.0a"); }

ExecutableFile Complete(const wire::GpuExecutableProto& program) {
  absl::StatusOr<ExecutableFile> file = CompleteForJax(program, Target());
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? *std::move(file) : ExecutableFile();
}

std::string Error(const wire::GpuExecutableProto& program) {
  return CompleteForJax(program, Target()).status().ToString();
}

// One parameter f32[4] (allocation 0), one result f32[4] (allocation 1), a copy.
constexpr char kCopy[] = R"(
  module_name: "copy"
  program_shape {
    parameters { element_type: F32 dimensions: 4 }
    result { element_type: F32 dimensions: 4 }
  }
  buffer_allocations {
    values { size: 16 is_entry_computation_parameter: true }
    values { index: 1 size: 16 }
  }
  output_info_map { shape_index {} output_info { allocation_index: 1 } }
  thunks {
    device_to_device_copy_thunk {
      copy_thunk {
        source_buffer {
          slice { size: 16 } shape { element_type: U8 dimensions: 16 }
        }
        destination_buffer {
          slice { size: 16 buffer_allocation_index: 1 }
          shape { element_type: U8 dimensions: 16 }
        }
        mem_size: 16
      }
    }
  })";

// The result of a program with two.
constexpr char kTwoResults[] = R"(
  program_shape {
    result {
      element_type: TUPLE
      tuple_shapes { element_type: F32 dimensions: 4 }
      tuple_shapes { element_type: F32 dimensions: 4 }
    }
  })";

wire::GpuExecutableProto CopyProgram() { return Parse<wire::GpuExecutableProto>(kCopy); }

// Results {0} in allocation 1 and {1} in the allocation of `second`.
wire::GpuExecutableProto TwoResults(const std::string& second) {
  wire::GpuExecutableProto program = CopyProgram();
  program.mutable_program_shape()->clear_result();
  program.clear_output_info_map();
  program.MergeFrom(Parse<wire::GpuExecutableProto>(absl::StrCat(kTwoResults, R"(
        output_info_map {
          shape_index { indexes: 0 } output_info { allocation_index: 1 }
        }
        output_info_map { shape_index { indexes: 1 } output_info {)",
                                                                 second, "} }")));
  return program;
}

// What a program from scratch says of a program that JAX compiled.
wire::GpuExecutableProto FromScratch(const wire::GpuExecutableProto& compiled) {
  wire::GpuExecutableProto program;
  program.set_module_name(compiled.module_name());
  *program.mutable_thunks() = compiled.thunks();
  *program.mutable_buffer_allocations() = compiled.buffer_allocations();
  *program.mutable_output_info_map() = compiled.output_info_map();
  *program.mutable_program_shape() = compiled.program_shape();
  const std::vector<Constant> constants = *ConstantsOf(compiled);
  for (int i = 0; i < compiled.constants_size(); ++i) {
    auto* constant = program.add_constants();
    *constant = compiled.constants(i);
    constant->mutable_content()->set_data(constants[static_cast<size_t>(i)].bytes);
  }
  return program;
}

// What we say of a program is what JAX said of it.
TEST(JaxProgram, SaysWhatJaxSays) {
  int completed = 0;
  for (const std::string& name : FixtureNames()) {
    if (name.find("four_devices") != std::string::npos) continue;
    SCOPED_TRACE(name);
    const ExecutableFile original = *ReadExecutableFile(FixtureExecutable(name));
    const absl::StatusOr<ExecutableFile> file =
        CompleteForJax(FromScratch(original.executable), Target());
    ASSERT_TRUE(file.ok()) << file.status();
    ++completed;
    EXPECT_EQ(file->metadata_bytes, original.metadata_bytes);
    EXPECT_TRUE(MessageDifferencer::Equals(file->executable.executable_abi_version(),
                                           original.executable.executable_abi_version()));
    EXPECT_TRUE(MessageDifferencer::Equals(file->executable.gpu_compute_capability(),
                                           original.executable.gpu_compute_capability()));
    EXPECT_TRUE(MessageDifferencer::Equals(file->executable.buffer_allocations(),
                                           original.executable.buffer_allocations()));
    const auto& ours = file->executable.hlo_module_with_config();
    const auto& theirs = original.executable.hlo_module_with_config();
    EXPECT_TRUE(MessageDifferencer::Equals(ours.hlo_module().host_program_shape(),
                                           theirs.hlo_module().host_program_shape()));
    EXPECT_TRUE(MessageDifferencer::Equals(ours.hlo_module().input_output_alias(),
                                           theirs.hlo_module().input_output_alias()));
    const auto& build = file->options->compile_options().executable_build_options();
    EXPECT_TRUE(MessageDifferencer::Equals(
        build.result_layout(),
        original.options->compile_options().executable_build_options().result_layout()));
    EXPECT_EQ(file->options->pjrt_client_name(), original.options->pjrt_client_name());
    const std::vector<Constant> before = *ConstantsOf(original.executable);
    const std::vector<Constant> after = *ConstantsOf(file->executable);
    ASSERT_EQ(after.size(), before.size());
    for (size_t i = 0; i < after.size(); ++i) {
      EXPECT_EQ(after[i].name, before[i].name);
      EXPECT_EQ(after[i].bytes, before[i].bytes);
    }
  }
  EXPECT_GT(completed, 60);
}

TEST(JaxProgram, CompletesAProgramFromScratch) {
  const ExecutableFile file = Complete(CopyProgram());
  EXPECT_THAT(VerifyExecutable(file.executable), Succeeds());
  const absl::StatusOr<std::string> bytes = WriteExecutableFile(file);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const absl::StatusOr<ExecutableFile> read = ReadExecutableFile(*bytes);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->kind, ExecutableKind::kComplete);
  EXPECT_EQ(read->name, "copy");
  EXPECT_TRUE(MessageDifferencer::Equals(*read->metadata, *file.metadata));
  EXPECT_TRUE(MessageDifferencer::Equals(read->executable, file.executable));
  EXPECT_TRUE(MessageDifferencer::Equals(*read->options, *file.options));

  const auto& module = file.executable.hlo_module_with_config().hlo_module();
  ASSERT_EQ(module.computations_size(), 1);
  const auto& entry = module.computations(0);
  EXPECT_EQ(entry.id(), module.entry_computation_id());
  ASSERT_EQ(entry.instructions_size(), 2);
  EXPECT_EQ(entry.instructions(0).opcode(), "parameter");
  EXPECT_EQ(entry.instructions(1).id(), entry.root_id());
  EXPECT_EQ(entry.instructions(1).operand_ids(0), entry.instructions(0).id());
  EXPECT_EQ(file.executable.program_shape().parameter_names(0), "p0");
  EXPECT_FALSE(file.executable.buffer_allocations_debug_summary().empty());
  EXPECT_TRUE(file.executable.has_buffer_assignment());
}

TEST(JaxProgram, AddsLayouts) {
  wire::GpuExecutableProto program = CopyProgram();
  for (auto* shape : {program.mutable_program_shape()->mutable_parameters(0),
                      program.mutable_program_shape()->mutable_result()}) {
    *shape = Parse<wire::ShapeProto>("element_type: F32 dimensions: [2, 1, 2]");
  }
  *program.mutable_program_shape()->mutable_result()->mutable_layout() =
      Parse<wire::LayoutProto>("minor_to_major: [0, 1, 2]");
  const ExecutableFile file = Complete(program);
  const auto& shape = file.executable.program_shape();
  EXPECT_THAT(shape.parameters(0).layout().minor_to_major(),
              testing::ElementsAre(2, 1, 0));
  EXPECT_EQ(shape.parameters(0).layout().tail_padding_alignment_in_elements(), 1);
  EXPECT_THAT(shape.result().layout().minor_to_major(), testing::ElementsAre(0, 1, 2));
  // Only a layout that is not JAX's own is stated for a result.
  EXPECT_TRUE(file.metadata->output_specs(0).has_layout());
  EXPECT_FALSE(Complete(CopyProgram()).metadata->output_specs(0).has_layout());
}

TEST(JaxProgram, AddsTheTableOfTwoResults) {
  wire::GpuExecutableProto program = TwoResults("allocation_index: 2");
  auto* allocation = program.mutable_buffer_allocations()->add_values();
  allocation->set_index(2);
  allocation->set_size(16);
  const ExecutableFile file = Complete(program);
  ASSERT_EQ(file.executable.output_info_map_size(), 3);
  EXPECT_TRUE(file.executable.output_info_map(0).shape_index().indexes().empty());
  EXPECT_EQ(file.executable.output_info_map(0).output_info().allocation_index(), 3);
  EXPECT_EQ(file.executable.output_info_map(1).shape_index().indexes(0), 0);
  EXPECT_EQ(file.executable.output_info_map(2).shape_index().indexes(0), 1);
  const auto& table = file.executable.buffer_allocations().values(3);
  EXPECT_EQ(table.size(), 16);
  EXPECT_TRUE(table.is_tuple());
  EXPECT_TRUE(table.maybe_live_out());
  EXPECT_TRUE(file.executable.buffer_allocations().values(2).maybe_live_out());
  EXPECT_FALSE(file.executable.buffer_allocations().values(0).maybe_live_out());
  EXPECT_EQ(file.metadata->output_specs_size(), 2);
}

TEST(JaxProgram, NoResultsAreAnEmptyTuple) {
  wire::GpuExecutableProto program = CopyProgram();
  program.clear_output_info_map();
  *program.mutable_program_shape()->mutable_result() =
      Parse<wire::ShapeProto>("element_type: TUPLE");
  const ExecutableFile file = Complete(program);
  EXPECT_EQ(file.executable.output_info_map_size(), 1);
  EXPECT_EQ(file.executable.buffer_allocations().values(2).size(), 0);
  EXPECT_EQ(file.metadata->output_specs_size(), 0);
}

TEST(JaxProgram, DonatesAliasedParameters) {
  for (const char* kind : {"MAY_ALIAS", "MUST_ALIAS"}) {
    wire::GpuExecutableProto program = CopyProgram();
    program.clear_output_info_map();
    program.MergeFrom(Parse<wire::GpuExecutableProto>(absl::StrCat(
        "output_info_map { shape_index {} output_info { alias_config { kind: ", kind,
        " } } }")));
    const ExecutableFile file = Complete(program);
    EXPECT_TRUE(file.metadata->parameter_specs(0).donated_input());
    const auto& allocation = file.executable.buffer_allocations().values(0);
    EXPECT_TRUE(allocation.maybe_live_out());
    EXPECT_TRUE(allocation.is_parameter_aliased_with_output());
    const auto& aliases =
        file.executable.hlo_module_with_config().hlo_module().input_output_alias();
    ASSERT_EQ(aliases.entries_size(), 1);
    EXPECT_EQ(wire::Kind_Name(aliases.entries(0).kind()), kind);
  }
  EXPECT_FALSE(Complete(CopyProgram()).metadata->parameter_specs(0).donated_input());
}

// A copy of a constant of 16 bytes, of which 4 are given.
wire::GpuExecutableProto ConstantProgram(const std::string& name) {
  wire::GpuExecutableProto program = CopyProgram();
  program.mutable_program_shape()->clear_parameters();
  auto* allocation = program.mutable_buffer_allocations()->mutable_values(0);
  allocation->set_is_entry_computation_parameter(false);
  allocation->set_is_constant(true);
  auto* constant = program.add_constants();
  constant->set_symbol_name(name);
  constant->mutable_content()->set_data("\1\2\3\4");
  return program;
}

TEST(JaxProgram, MovesConstantsIntoTheModule) {
  const ExecutableFile file = Complete(ConstantProgram("my-const.0"));
  EXPECT_THAT(VerifyExecutable(file.executable), Succeeds());
  const wire::GpuExecutableProto& executable = file.executable;
  EXPECT_EQ(executable.constants(0).symbol_name(), "buffer_for_my_const_0");
  EXPECT_FALSE(executable.constants(0).has_content());
  EXPECT_THAT(executable.binary(),
              HasSubstr(".visible .global .align 256 .b8 buffer_for_my_const_0[16];\n"));
  EXPECT_EQ(executable.binary().back(), '\0');
  const auto& entry = executable.hlo_module_with_config().hlo_module().computations(0);
  EXPECT_EQ(entry.instructions(0).name(), "my_const_0");
  const std::string expected = std::string("\1\2\3\4") + std::string(12, '\0');
  EXPECT_EQ(entry.instructions(0).literal().u8s(), expected);
  EXPECT_EQ(ConstantsOf(executable)->front().bytes, expected);
  EXPECT_TRUE(Complete(CopyProgram()).executable.binary().empty());
}

TEST(JaxProgram, RefusesConstantsThatNoFileCanHold) {
  wire::GpuExecutableProto program = ConstantProgram("a.b");
  auto* second = program.add_constants();
  second->set_symbol_name("buffer_for_a_b");
  second->set_allocation_index(-1);
  EXPECT_THAT(Error(program), HasSubstr("constant 'buffer_for_a_b': becomes 'a_b', as "
                                        "'a.b' does"));
  EXPECT_THAT(Error(ConstantProgram("")), HasSubstr("constant '': has no name"));
  program = ConstantProgram("large");
  program.mutable_buffer_allocations()->mutable_values(0)->set_size(int64_t{1} << 40);
  EXPECT_THAT(Error(program),
              HasSubstr("constant 'large': has 1099511627776 bytes; a file has room"));
}

TEST(JaxProgram, RefusesResultsThatShareMemory) {
  EXPECT_THAT(Error(TwoResults("allocation_index: 1")),
              HasSubstr("output {1}: is in one allocation with output {0}; JAX needs a "
                        "copy in an allocation of its own"));
  EXPECT_THAT(Error(TwoResults("passthrough: true")),
              HasSubstr("output {1}: is a parameter passed through"));
  EXPECT_EQ(Complete(TwoResults("passthrough: true alias_config { kind: MAY_ALIAS }"))
                .metadata->output_specs_size(),
            2);
  wire::GpuExecutableProto program = ConstantProgram("c");
  program.mutable_output_info_map(0)->mutable_output_info()->set_allocation_index(0);
  program.clear_thunks();
  EXPECT_THAT(Error(program), HasSubstr("output {}: is the constant 'c'"));
}

TEST(JaxProgram, RefusesWhatIsNotFromScratch) {
  wire::GpuExecutableProto program = CopyProgram();
  program.mutable_hlo_module_with_config();
  EXPECT_THAT(Error(program), HasSubstr("has an HLO module of its own"));
  program = CopyProgram();
  program.mutable_buffer_assignment();
  EXPECT_THAT(Error(program), HasSubstr("a buffer assignment"));
  program = CopyProgram();
  program.set_binary("x");
  EXPECT_THAT(Error(program), HasSubstr("a module binary"));
  program = CopyProgram();
  program.mutable_thunky();
  EXPECT_THAT(Error(program), HasSubstr("a code table"));
  program = CopyProgram();
  program.clear_module_name();
  EXPECT_THAT(Error(program), HasSubstr("no module_name"));
}

TEST(JaxProgram, RefusesShapesThatJaxCannotPass) {
  wire::GpuExecutableProto program = CopyProgram();
  program.mutable_program_shape()->mutable_parameters()->Add()->set_element_type(
      wire::TUPLE);
  EXPECT_THAT(Error(program), HasSubstr("UNIMPLEMENTED: parameter 1: is a tuple"));
  program = TwoResults("allocation_index: 2");
  *program.mutable_program_shape()->mutable_result() = Parse<wire::ShapeProto>(
      "element_type: TUPLE tuple_shapes { element_type: F32 dimensions: 4 }"
      "tuple_shapes { element_type: TUPLE tuple_shapes { element_type: F32 } }");
  program.mutable_output_info_map(1)->mutable_shape_index()->add_indexes(0);
  auto* allocation = program.mutable_buffer_allocations()->add_values();
  allocation->set_index(2);
  allocation->set_size(4);
  EXPECT_THAT(Error(program),
              HasSubstr("UNIMPLEMENTED: output {1,0}: is in a nested tuple"));
  // Broken programs are refused as everywhere.
  program = CopyProgram();
  program.mutable_buffer_allocations()->mutable_values(1)->set_size(8);
  EXPECT_THAT(Error(program),
              StartsWith("INVALID_ARGUMENT: thunks[0]: destination_buffer has "));
}

TEST(JaxTarget, ReadsCapabilities) {
  const auto text = [](const char* capability) {
    const absl::StatusOr<JaxTarget> target = JaxTargetOf(capability);
    if (!target.ok()) return std::string(target.status().message());
    const auto& found = target->compute_capability;
    return absl::StrCat(found.major(), " ", found.minor(), " ",
                        wire::CudaComputeCapabilityProto::FeatureExtension_Name(
                            found.feature_extension()));
  };
  EXPECT_EQ(text("9.0a"), "9 0 ACCELERATED_FEATURES");
  EXPECT_EQ(text("8.0"), "8 0 NONE");
  EXPECT_EQ(text("12.1f"), "12 1 FAMILY_COMPATIBLE_FEATURES");
  for (const char* wrong : {"", "9", "90a", "9.", ".0", "9.0b", "sm_90", "9.0aa", "-9.0",
                            "9.-1", "09.0", "9.00", "999.0", "9.0.0", "9.0 ", "a"}) {
    EXPECT_THAT(text(wrong),
                StartsWith(absl::StrCat("target '", wrong, "': expected a ")))
        << wrong;
  }
}

}  // namespace
}  // namespace thunky::schema
