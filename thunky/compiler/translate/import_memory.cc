// Fills, copies and device ids.
#include "thunky/compiler/dialect/shapes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/thunk_importer.h"

namespace thunky::compiler {
namespace {

using Imported = mlir::FailureOr<mlir::Operation*>;

Imported importMemzero(ThunkImporter& importer, wire::ThunkProto& thunk) {
  const wire::ShapedSliceProto& destination = thunk.memzero_thunk().dest_buffer();
  const ShapeAttributes shapes = importer.shapesOf({&destination});
  return MemzeroOp::create(importer.builder(), importer.location(),
                           importer.buffer(destination), shapes.shapes, shapes.layouts)
      .getOperation();
}

Imported importMemset32(ThunkImporter& importer, wire::ThunkProto& thunk) {
  const wire::Memset32BitValueThunkProto& fill = thunk.memset32bit_value_thunk();
  mlir::OpBuilder& builder = importer.builder();
  const wire::PrimitiveType type = fill.dest_buffer().element_type();
  mlir::TypeAttr elementType;
  if (type != wire::U32) {
    const mlir::Type element = elementTypeOf(builder.getContext(), type);
    if (element) elementType = mlir::TypeAttr::get(element);
  }
  return Memset32Op::create(
             builder, importer.location(), importer.buffer(fill.dest_buffer()),
             builder.getI32IntegerAttr(static_cast<int32_t>(fill.value())), elementType)
      .getOperation();
}

mlir::Operation* copy(ThunkImporter& importer, const wire::CopyThunkProto& proto,
                      bool plain) {
  mlir::OpBuilder& builder = importer.builder();
  const wire::ShapedSliceProto& source = proto.source_buffer();
  const wire::ShapedSliceProto& destination = proto.destination_buffer();
  const ShapeAttributes shapes = importer.shapesOf({&source, &destination});
  const mlir::Value from = importer.buffer(source);
  return CopyOp::create(builder, importer.location(), from, importer.buffer(destination),
                        plain ? builder.getUnitAttr() : mlir::UnitAttr(), shapes.shapes,
                        shapes.layouts);
}

Imported importCopy(ThunkImporter& importer, wire::ThunkProto& thunk) {
  return copy(importer, thunk.copy_thunk(), true);
}

Imported importDeviceCopy(ThunkImporter& importer, wire::ThunkProto& thunk) {
  return copy(importer, thunk.device_to_device_copy_thunk().copy_thunk(), false);
}

Imported importPartitionId(ThunkImporter& importer, wire::ThunkProto& thunk) {
  return PartitionIdOp::create(importer.builder(), importer.location(),
                               importer.buffer(thunk.partition_id_thunk().dest_buffer()))
      .getOperation();
}

Imported importReplicaId(ThunkImporter& importer, wire::ThunkProto& thunk) {
  return ReplicaIdOp::create(importer.builder(), importer.location(),
                             importer.buffer(thunk.replica_id_thunk().dest_buffer()))
      .getOperation();
}

constexpr KindImport kImports[] = {
    {schema::ThunkKind::kMemzero, importMemzero},
    {schema::ThunkKind::kMemset32, importMemset32},
    {schema::ThunkKind::kCopy, importCopy},
    {schema::ThunkKind::kDeviceToDeviceCopy, importDeviceCopy},
    {schema::ThunkKind::kPartitionId, importPartitionId},
    {schema::ThunkKind::kReplicaId, importReplicaId},
};

}  // namespace

absl::Span<const KindImport> memoryImports() { return kImports; }

}  // namespace thunky::compiler
