#include "thunky/schema/jax_program.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/executable_rules.h"
#include "thunky/schema/jax_constants.h"
#include "thunky/schema/jax_hlo.h"
#include "thunky/schema/jax_metadata.h"
#include "thunky/schema/jax_parts.h"
#include "thunky/schema/signature.h"

namespace thunky::schema {
namespace {

constexpr int64_t kPointerSize = 8;

absl::Status CheckInput(const wire::GpuExecutableProto& program) {
  const auto has = [](const char* what) {
    return absl::InvalidArgumentError(
        absl::StrCat("the program has ", what,
                     " of its own; only programs written from scratch are completed"));
  };
  if (program.has_hlo_module_with_config()) return has("an HLO module");
  if (program.has_buffer_assignment()) return has("a buffer assignment");
  if (!program.binary().empty()) return has("a module binary");
  if (program.has_thunky()) {
    return absl::InvalidArgumentError(
        "the program has a code table, which JAX does not read; its kernels need to "
        "carry their code");
  }
  if (program.module_name().empty()) {
    return absl::InvalidArgumentError("the program has no module_name");
  }
  return absl::OkStatus();
}

// Gives an array, and each array of a tuple, what XLA writes for it. JAX has no deeper
// tuples; those are left as they are, and refused later.
void CompleteShape(wire::ShapeProto* shape) {
  if (shape->element_type() == wire::TUPLE) {
    for (wire::ShapeProto& element : *shape->mutable_tuple_shapes()) {
      if (element.element_type() != wire::TUPLE) CompleteShape(&element);
    }
    return;
  }
  if (shape->is_dynamic_dimension().empty()) {
    shape->mutable_is_dynamic_dimension()->Resize(shape->dimensions_size(), false);
  }
  if (shape->has_layout()) return;
  for (int i = shape->dimensions_size(); i-- > 0;) {
    shape->mutable_layout()->add_minor_to_major(i);
  }
  shape->mutable_layout()->set_tail_padding_alignment_in_elements(1);
}

void CompleteShapes(wire::ProgramShapeProto* shape) {
  for (wire::ShapeProto& parameter : *shape->mutable_parameters()) {
    CompleteShape(&parameter);
  }
  for (int i = shape->parameter_names_size(); i < shape->parameters_size(); ++i) {
    shape->add_parameter_names(absl::StrCat("p", i));
  }
  CompleteShape(shape->mutable_result());
}

// A result of several arrays is a table of pointers, in an allocation of its own that
// the output map names as output {}.
void AddResultTable(wire::GpuExecutableProto* executable) {
  const wire::ShapeProto& result = executable->program_shape().result();
  if (result.element_type() != wire::TUPLE) return;
  for (const auto& entry : executable->output_info_map()) {
    if (entry.shape_index().indexes().empty()) return;
  }
  auto* allocations = executable->mutable_buffer_allocations();
  const int64_t index = allocations->values_size();
  wire::BufferAllocationProto* table = allocations->add_values();
  table->set_index(index);
  table->set_size(kPointerSize * result.tuple_shapes_size());
  table->set_is_tuple(true);
  wire::GpuExecutableProto::OutputInfoMapEntry entry;
  entry.mutable_shape_index();
  entry.mutable_output_info()->set_allocation_index(index);
  // The map is in the order of its keys.
  auto* map = executable->mutable_output_info_map();
  *map->Add() = std::move(entry);
  for (int i = map->size() - 1; i > 0; --i) map->SwapElements(i, i - 1);
}

// Each result becomes an array that JAX frees on its own, so its memory has to be its
// own as well: anything else ends the process, without a message that helps.
absl::Status CheckResults(const Signature& signature) {
  for (size_t i = 0; i < signature.results.size(); ++i) {
    const SignatureResult& result = signature.results[i];
    const auto refuse = [&](const auto&... pieces) {
      return absl::InvalidArgumentError(
          absl::StrCat("output ", ToString(result.shape_index), ": ", pieces...,
                       "; JAX needs a copy in an allocation of its own"));
    };
    if (static_cast<size_t>(result.first_in_allocation) != i) {
      const auto& first =
          signature.results[static_cast<size_t>(result.first_in_allocation)];
      return refuse("is in one allocation with output ", ToString(first.shape_index));
    }
    if (result.constant.has_value()) {
      const auto& constant = signature.constants[static_cast<size_t>(*result.constant)];
      return refuse("is the constant '", constant.name, "'");
    }
    if (result.passthrough && result.alias == AliasKind::kNone) {
      return refuse("is a parameter passed through that is not aliased");
    }
  }
  return absl::OkStatus();
}

// Requires a verified executable: every index names an allocation.
void SetResultFlags(const Signature& signature, wire::GpuExecutableProto* executable) {
  std::map<int64_t, wire::BufferAllocationProto*> by_index;
  for (auto& allocation : *executable->mutable_buffer_allocations()->mutable_values()) {
    by_index[allocation.index()] = &allocation;
  }
  for (const auto& entry : executable->output_info_map()) {
    by_index.at(entry.output_info().allocation_index())->set_maybe_live_out(true);
  }
  for (const SignatureResult& result : signature.results) {
    if (result.alias == AliasKind::kNone) continue;
    by_index.at(result.allocation)->set_is_parameter_aliased_with_output(true);
  }
}

// What XLA prints when memory runs out. jaxlib refuses a file without any.
std::string Summary(const wire::GpuExecutableProto& executable) {
  int64_t bytes = 0;
  for (const auto& allocation : executable.buffer_allocations().values()) {
    bytes += allocation.size();
  }
  return absl::StrCat(executable.module_name(), ": ",
                      executable.buffer_allocations().values_size(), " allocations, ",
                      bytes, " bytes");
}

}  // namespace

absl::StatusOr<ExecutableFile> CompleteForJax(const wire::GpuExecutableProto& program,
                                              const JaxTarget& target) {
  RETURN_IF_ERROR(CheckInput(program));
  ExecutableFile file;
  file.kind = ExecutableKind::kComplete;
  file.name = program.module_name();
  wire::GpuExecutableProto& executable = file.executable;
  executable = program;
  CompleteShapes(executable.mutable_program_shape());
  AddResultTable(&executable);
  RETURN_IF_ERROR(VerifyExecutable(executable));
  ASSIGN_OR_RETURN(const Signature signature, SignatureOf(executable));
  RETURN_IF_ERROR(CheckResults(signature));
  SetResultFlags(signature, &executable);
  ASSIGN_OR_RETURN(const std::vector<StandInConstant> constants,
                   MoveConstants(&executable));
  *executable.mutable_hlo_module_with_config() = StandInModule(executable, constants);
  *executable.mutable_buffer_assignment()->mutable_buffer_allocations() =
      executable.buffer_allocations().values();
  executable.set_buffer_allocations_debug_summary(Summary(executable));
  *executable.mutable_gpu_compute_capability()->mutable_cuda_compute_capability() =
      target.compute_capability;
  *executable.mutable_executable_abi_version() = AbiVersionOf(target);
  file.options = JaxOptionsFor(executable.program_shape().result());
  ASSIGN_OR_RETURN(file.metadata, JaxMetadataOf(executable, signature, target));
  file.metadata_bytes = file.metadata->SerializeAsString();
  return file;
}

}  // namespace thunky::schema
