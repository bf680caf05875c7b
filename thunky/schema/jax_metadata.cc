#include "thunky/schema/jax_metadata.h"

#include <cstdint>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/shape_tree.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::schema {
namespace {

using DType = wire::ifrt::DTypeProto;

// All of these as jaxlib 0.11.2 writes them.
constexpr int kIfrtVersion = 3;
constexpr char kRuntimeName[] = "pjrt_ifrt";
constexpr char kDeviceMemory[] = "device";
constexpr char kLayoutTypeName[] = "xla::ifrt::PjRtLayout";
constexpr char kAbiTypeName[] = "xla::GpuXlaExecutableAbiVersion";
// PjRt's fingerprint of the platform name "cuda".
constexpr uint64_t kCudaPlatformId = 4229621006002192545;

struct ElementKind {
  wire::PrimitiveType type;
  DType::Kind kind;
};

constexpr ElementKind kElementKinds[] = {
    {wire::PRED, DType::KIND_PRED},
    {wire::S1, DType::KIND_S1},
    {wire::S2, DType::KIND_S2},
    {wire::S4, DType::KIND_S4},
    {wire::S8, DType::KIND_S8},
    {wire::S16, DType::KIND_S16},
    {wire::S32, DType::KIND_S32},
    {wire::S64, DType::KIND_S64},
    {wire::U1, DType::KIND_U1},
    {wire::U2, DType::KIND_U2},
    {wire::U4, DType::KIND_U4},
    {wire::U8, DType::KIND_U8},
    {wire::U16, DType::KIND_U16},
    {wire::U32, DType::KIND_U32},
    {wire::U64, DType::KIND_U64},
    {wire::F16, DType::KIND_F16},
    {wire::F32, DType::KIND_F32},
    {wire::F64, DType::KIND_F64},
    {wire::BF16, DType::KIND_BF16},
    {wire::C64, DType::KIND_C64},
    {wire::C128, DType::KIND_C128},
    {wire::F8E3M4, DType::KIND_F8E3M4},
    {wire::F8E4M3, DType::KIND_F8E4M3},
    {wire::F8E4M3FN, DType::KIND_F8E4M3FN},
    {wire::F8E4M3B11FNUZ, DType::KIND_F8E4M3B11FNUZ},
    {wire::F8E4M3FNUZ, DType::KIND_F8E4M3FNUZ},
    {wire::F8E5M2, DType::KIND_F8E5M2},
    {wire::F8E5M2FNUZ, DType::KIND_F8E5M2FNUZ},
    {wire::F8E8M0FNU, DType::KIND_F8E8M0FNU},
    {wire::F4E2M1FN, DType::KIND_F4E2M1FN},
    {wire::F6E2M3FN, DType::KIND_F6E2M3FN},
    {wire::F6E3M2FN, DType::KIND_F6E3M2FN},
};

absl::StatusOr<DType::Kind> KindOfElement(wire::PrimitiveType type) {
  for (const ElementKind& entry : kElementKinds) {
    if (entry.type == type) return entry.kind;
  }
  return absl::UnimplementedError(
      absl::StrCat("JAX has no element type for ", ElementTypeName(type)));
}

bool IsRowMajor(const wire::LayoutProto& layout) {
  for (int i = 0; i < layout.minor_to_major_size(); ++i) {
    if (layout.minor_to_major(i) != layout.minor_to_major_size() - 1 - i) return false;
  }
  return true;
}

wire::ifrt::LayoutProto LayoutOf(const wire::ShapeProto& shape) {
  wire::ifrt::PjRtLayoutProto layout;
  *layout.mutable_xla_layout() = shape.layout();
  wire::ifrt::LayoutProto result;
  result.mutable_serialized_layout()->set_type_name(kLayoutTypeName);
  result.mutable_serialized_layout()->set_data(layout.SerializeAsString());
  return result;
}

// The parameters that the caller may or must give away.
std::set<int64_t> DonatedParameters(const Signature& signature) {
  std::set<int64_t> numbers;
  for (const SignatureParameter& parameter : signature.parameters) {
    if (parameter.alias != AliasKind::kNone) numbers.insert(parameter.number);
  }
  return numbers;
}

absl::Status AddParameters(const wire::ProgramShapeProto& shape,
                           const Signature& signature,
                           wire::ifrt::SerializedXlaExecutableMetadata* metadata) {
  const std::set<int64_t> donated = DonatedParameters(signature);
  for (int i = 0; i < shape.parameters_size(); ++i) {
    if (shape.parameters(i).element_type() == wire::TUPLE) {
      return absl::UnimplementedError(absl::StrCat(
          "parameter ", i, ": is a tuple; JAX passes its parameters as arrays"));
    }
    auto* parameter = metadata->add_parameter_specs();
    *parameter->mutable_layout() = LayoutOf(shape.parameters(i));
    parameter->set_donated_input(donated.count(i) != 0);
  }
  return absl::OkStatus();
}

absl::Status AddResult(const SignatureResult& result, const wire::ShapeProto& shape,
                       wire::ifrt::SerializedXlaExecutableMetadata* metadata) {
  auto* output = metadata->add_output_specs();
  ASSIGN_OR_RETURN(const DType::Kind kind, KindOfElement(result.type.element_type));
  output->mutable_dtype()->set_kind(kind);
  output->set_memory_kind(kDeviceMemory);
  auto* dims = output->mutable_shape()->mutable_dims();
  dims->Add(result.type.dimensions.begin(), result.type.dimensions.end());
  *output->mutable_shard_shape() = output->shape();
  // None means JAX's own choice, which is row-major.
  if (!IsRowMajor(shape.layout())) *output->mutable_layout() = LayoutOf(shape);
  return absl::OkStatus();
}

absl::Status AddResults(const wire::ProgramShapeProto& shape, const Signature& signature,
                        wire::ifrt::SerializedXlaExecutableMetadata* metadata) {
  for (const SignatureResult& result : signature.results) {
    const std::string where = "output " + ToString(result.shape_index);
    if (result.shape_index.size() > 1) {
      return absl::UnimplementedError(
          absl::StrCat(where, ": is in a nested tuple; JAX has one level of results"));
    }
    const wire::ShapeProto* leaf = SubShape(shape.result(), result.shape_index);
    const absl::Status status = AddResult(result, *leaf, metadata);
    if (!status.ok()) return Annotate(status, where);
  }
  return absl::OkStatus();
}

std::string AbiVersionBytes(const JaxTarget& target) {
  wire::PjRtExecutableAbiVersionProto version;
  version.set_platform(kCudaPlatformId);
  version.set_version(AbiVersionOf(target).SerializeAsString());
  wire::ifrt::Serialized serialized;
  serialized.set_type_name(kAbiTypeName);
  serialized.set_data(version.SerializeAsString());
  return serialized.SerializeAsString();
}

}  // namespace

absl::StatusOr<wire::ifrt::SerializedXlaExecutableMetadata> JaxMetadataOf(
    const wire::GpuExecutableProto& executable, const Signature& signature,
    const JaxTarget& target) {
  wire::ifrt::SerializedXlaExecutableMetadata metadata;
  metadata.set_ifrt_version_number(kIfrtVersion);
  metadata.set_runtime_name(kRuntimeName);
  metadata.set_computation_name(executable.module_name());
  metadata.mutable_executable_version()->set_platform_id(kCudaPlatformId);
  metadata.mutable_executable_version()->set_runtime_abi_version(AbiVersionBytes(target));
  const wire::ProgramShapeProto& shape = executable.program_shape();
  RETURN_IF_ERROR(AddParameters(shape, signature, &metadata));
  RETURN_IF_ERROR(AddResults(shape, signature, &metadata));
  return metadata;
}

}  // namespace thunky::schema
