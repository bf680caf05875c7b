#include "thunky/schema/jax_hlo.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"

namespace thunky::schema {
namespace {

constexpr int64_t kEntryId = 1;
constexpr char kEntryName[] = "main";
constexpr char kConstantsName[] = "thunky_constants";
constexpr char kMainThread[] = "main";
// Names of constants have no dot, so these are none of theirs.
constexpr char kParameterName[] = "parameter.";
constexpr char kRootName[] = "thunks.root";
// No handler has this name: the instruction is for readers of the module.
constexpr char kRootTarget[] = "thunky.thunks";

// XLA's files number instructions within their computation.
constexpr int64_t InstructionId(int64_t computation, int64_t number) {
  return computation << 32 | number;
}

wire::HloInstructionProto Parameter(int number, const wire::ShapeProto& shape) {
  wire::HloInstructionProto parameter;
  parameter.set_name(absl::StrCat(kParameterName, number));
  parameter.set_opcode("parameter");
  *parameter.mutable_shape() = shape;
  parameter.set_parameter_number(number);
  return parameter;
}

wire::HloInstructionProto Constant(const StandInConstant& constant) {
  wire::ShapeProto shape;
  shape.set_element_type(wire::U8);
  shape.add_dimensions(static_cast<int64_t>(constant.bytes.size()));
  shape.add_is_dynamic_dimension(false);
  shape.mutable_layout()->add_minor_to_major(0);
  shape.mutable_layout()->set_tail_padding_alignment_in_elements(1);
  wire::HloInstructionProto instruction;
  instruction.set_name(constant.instruction);
  instruction.set_opcode("constant");
  *instruction.mutable_shape() = shape;
  *instruction.mutable_literal()->mutable_shape() = shape;
  instruction.mutable_literal()->set_u8s(constant.bytes);
  return instruction;
}

wire::HloInstructionProto Root(const wire::ShapeProto& shape) {
  wire::HloInstructionProto root;
  root.set_name(kRootName);
  root.set_opcode("custom-call");
  *root.mutable_shape() = shape;
  root.set_custom_call_target(kRootTarget);
  root.set_custom_call_has_side_effect(true);
  root.set_custom_call_api_version(wire::API_VERSION_TYPED_FFI);
  return root;
}

wire::HloComputationProto Entry(const wire::ProgramShapeProto& shape,
                                absl::Span<const StandInConstant> constants) {
  wire::HloComputationProto entry;
  entry.set_name(kEntryName);
  entry.set_id(kEntryId);
  *entry.mutable_program_shape() = shape;
  wire::HloInstructionProto root = Root(shape.result());
  const auto add_operand = [&](wire::HloInstructionProto instruction) {
    instruction.set_id(InstructionId(kEntryId, entry.instructions_size()));
    root.add_operand_ids(instruction.id());
    *entry.add_instructions() = std::move(instruction);
  };
  for (int i = 0; i < shape.parameters_size(); ++i) {
    add_operand(Parameter(i, shape.parameters(i)));
  }
  for (const StandInConstant& constant : constants) add_operand(Constant(constant));
  root.set_id(InstructionId(kEntryId, entry.instructions_size()));
  entry.set_root_id(root.id());
  *entry.add_instructions() = std::move(root);
  return entry;
}

wire::HloInputOutputAliasProto Aliases(const wire::GpuExecutableProto& executable) {
  wire::HloInputOutputAliasProto aliases;
  for (const auto& entry : executable.output_info_map()) {
    if (!entry.output_info().has_alias_config()) continue;
    auto* alias = aliases.add_entries();
    *alias = entry.output_info().alias_config();
    // The output map has the index in its key, and not in the entry.
    *alias->mutable_output_shape_index() = entry.shape_index().indexes();
  }
  return aliases;
}

}  // namespace

wire::HloModuleProtoWithConfig StandInModule(
    const wire::GpuExecutableProto& executable,
    absl::Span<const StandInConstant> constants) {
  const wire::ProgramShapeProto& shape = executable.program_shape();
  wire::HloModuleProtoWithConfig result;
  wire::HloModuleProto& module = *result.mutable_hlo_module();
  module.set_name(executable.module_name());
  module.set_entry_computation_name(kEntryName);
  module.set_entry_computation_id(kEntryId);
  *module.add_computations() = Entry(shape, constants);
  *module.mutable_host_program_shape() = shape;
  *module.mutable_input_output_alias() = Aliases(executable);
  wire::HloModuleConfigProto& config = *result.mutable_config();
  *config.mutable_entry_computation_layout() = shape;
  config.set_replica_count(1);
  config.set_num_partitions(1);
  return result;
}

absl::Status AddConstants(absl::Span<const StandInConstant> constants,
                          wire::HloModuleProto* module) {
  if (constants.empty()) return absl::OkStatus();
  int64_t id = 0;
  for (const wire::HloComputationProto& computation : module->computations()) {
    id = std::max(id, computation.id());
  }
  // The upper half of an instruction's id.
  if (id >= std::numeric_limits<int32_t>::max()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "HLO module: a computation has id ", id, "; there is no room for another one"));
  }
  wire::HloComputationProto& added = *module->add_computations();
  added.set_id(++id);
  added.set_name(kConstantsName);
  added.set_execution_thread(kMainThread);
  // In a scheduled module every computation is.
  auto& sequence = (*module->mutable_schedule()->mutable_sequences())[id];
  for (const StandInConstant& constant : constants) {
    wire::HloInstructionProto& instruction = *added.add_instructions();
    instruction = Constant(constant);
    instruction.set_id(InstructionId(id, added.instructions_size() - 1));
    sequence.add_instruction_ids(instruction.id());
    added.set_root_id(instruction.id());
  }
  *added.mutable_program_shape()->mutable_result() =
      added.instructions(added.instructions_size() - 1).shape();
  return absl::OkStatus();
}

}  // namespace thunky::schema
