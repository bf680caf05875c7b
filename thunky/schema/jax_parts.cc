#include "thunky/schema/jax_parts.h"

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/jax_metadata.h"
#include "thunky/schema/jax_target.h"
#include "thunky/schema/signature.h"

namespace thunky::schema {
namespace {

constexpr char kClientName[] = "PjRtStreamExecutorClient";
// "Whatever device the caller names."
constexpr int kAnyDevice = -1;
constexpr int kNoProfile = -1;

bool HasEntryComputation(const wire::HloModuleProto& module) {
  for (const wire::HloComputationProto& computation : module.computations()) {
    if (computation.id() == module.entry_computation_id()) return true;
  }
  return false;
}

bool HasLayouts(const wire::ShapeProto& shape) {
  if (shape.element_type() != wire::TUPLE) return shape.has_layout();
  for (const wire::ShapeProto& element : shape.tuple_shapes()) {
    // Deeper tuples are refused with the metadata.
    if (element.element_type() != wire::TUPLE && !element.has_layout()) return false;
  }
  return true;
}

bool HasLayouts(const wire::ProgramShapeProto& shape) {
  for (const wire::ShapeProto& parameter : shape.parameters()) {
    if (!HasLayouts(parameter)) return false;
  }
  return HasLayouts(shape.result());
}

// jaxlib refuses a file without one of these, or ends the process.
absl::Status CheckComplete(const wire::GpuExecutableProto& executable) {
  const wire::HloModuleProto& module = executable.hlo_module_with_config().hlo_module();
  const struct {
    bool present;
    const char* what;
  } parts[] = {
      {executable.has_hlo_module_with_config(), "HLO module"},
      {module.has_host_program_shape(), "program shape in its HLO module"},
      {HasEntryComputation(module), "entry computation in its HLO module"},
      {executable.hlo_module_with_config().config().has_entry_computation_layout(),
       "entry computation layout in the configuration of its HLO module"},
      {executable.has_buffer_assignment(), "buffer assignment"},
      {executable.has_buffer_allocations(), "buffer_allocations"},
      {!executable.buffer_allocations_debug_summary().empty(),
       "summary of its buffer allocations"},
      {executable.has_program_shape(), "program shape"},
      {HasLayouts(executable.program_shape()), "layouts in its program shape"},
  };
  for (const auto& part : parts) {
    if (part.present) continue;
    return absl::InvalidArgumentError(absl::StrCat("the executable has no ", part.what));
  }
  return absl::OkStatus();
}

absl::Status CheckOneDevice(const wire::HloModuleConfigProto& config) {
  if (config.replica_count() <= 1 && config.num_partitions() <= 1) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(
      absl::StrCat("the executable is for ", config.replica_count(), " replicas of ",
                   config.num_partitions(),
                   " partitions; only for one device the parts around it "
                   "follow from it"));
}

}  // namespace

wire::ExecutableAndOptionsProto JaxOptionsFor(const wire::ShapeProto& result) {
  wire::ExecutableAndOptionsProto options;
  options.set_pjrt_client_name(kClientName);
  wire::CompileOptionsProto* compile = options.mutable_compile_options();
  compile->set_profile_version(kNoProfile);
  wire::ExecutableBuildOptionsProto* build = compile->mutable_executable_build_options();
  build->set_device_ordinal(kAnyDevice);
  *build->mutable_result_layout() = result;
  build->set_num_replicas(1);
  build->set_num_partitions(1);
  build->set_process_count(1);
  wire::DeviceAssignmentProto* devices = build->mutable_device_assignment();
  devices->set_replica_count(1);
  devices->set_computation_count(1);
  devices->add_computation_devices()->add_replica_device_ids(0);
  return options;
}

absl::Status AddPartsForJax(ExecutableFile* file) {
  const wire::GpuExecutableProto& executable = file->executable;
  RETURN_IF_ERROR(CheckComplete(executable));
  RETURN_IF_ERROR(CheckOneDevice(executable.hlo_module_with_config().config()));
  if (!file->options.has_value()) {
    file->options = JaxOptionsFor(executable.program_shape().result());
  }
  if (file->metadata_bytes.empty()) {
    ASSIGN_OR_RETURN(const JaxTarget target, JaxTargetOf(executable));
    ASSIGN_OR_RETURN(const Signature signature,
                     SignatureOf(executable, UnknownKinds::kAllow));
    ASSIGN_OR_RETURN(file->metadata, JaxMetadataOf(executable, signature, target));
    file->metadata_bytes = file->metadata->SerializeAsString();
  }
  file->kind = ExecutableKind::kComplete;
  return absl::OkStatus();
}

}  // namespace thunky::schema
