// Kernels, custom calls, and thunks that have no operation.
#include <utility>

#include "thunky/compiler/dialect/backend_config.h"
#include "thunky/compiler/dialect/kernel_parameters.h"
#include "thunky/compiler/dialect/payload.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/thunk_importer.h"

namespace thunky::compiler {
namespace {

using Imported = mlir::FailureOr<mlir::Operation*>;

// Nothing to say: the general form is needed.
Imported general() { return static_cast<mlir::Operation*>(nullptr); }

llvm::SmallVector<int64_t> dimensions(const wire::Dim3DProto& proto) {
  return {proto.x(), proto.y(), proto.z()};
}

mlir::ArrayAttr accessOf(mlir::OpBuilder& builder, const wire::ThunkProto& thunk) {
  llvm::SmallVector<mlir::Attribute> access;
  for (const schema::Access& one :
       schema::AccessesOf(schema::ThunkKind::kCustomKernel, thunk)) {
    // The enumerations have the same values.
    access.push_back(
        AccessAttr::get(builder.getContext(), static_cast<Access>(one.mode)));
  }
  return builder.getArrayAttr(access);
}

// Adds the operation of a custom_kernel whose code is `code`.
mlir::Operation* kernel(ThunkImporter& importer, const wire::ThunkProto& thunk,
                        mlir::FlatSymbolRefAttr code) {
  mlir::OpBuilder& builder = importer.builder();
  const wire::CustomKernelThunkProto& launch = thunk.custom_kernel_thunk();
  const wire::CustomKernelProto& proto = launch.custom_kernel();
  llvm::SmallVector<mlir::Value> buffers;
  llvm::SmallVector<const wire::ShapedSliceProto*> slices;
  for (const wire::ShapedSliceProto& argument : launch.args()) {
    buffers.push_back(importer.buffer(argument));
    slices.push_back(&argument);
  }
  const ShapeAttributes shapes = importer.shapesOf(slices);
  mlir::ArrayAttr parameters;
  if (proto.kernel_spec().has_kernel_args_packing_spec()) {
    parameters =
        readPacking(builder.getContext(), proto.kernel_spec().kernel_args_packing_spec(),
                    launch.args_size())
            .value_or(nullptr);
  }
  mlir::DenseI64ArrayAttr cluster;
  if (proto.cluster_dim().has_coordinates()) {
    cluster = builder.getDenseI64ArrayAttr(dimensions(proto.cluster_dim().coordinates()));
  }
  mlir::DenseI64ArrayAttr zeroed;
  if (!launch.zeroed_output_buffer_indices().empty()) {
    const auto& indices = launch.zeroed_output_buffer_indices();
    zeroed = builder.getDenseI64ArrayAttr(llvm::ArrayRef(indices.data(), indices.size()));
  }
  return PtxKernelOp::create(
      builder, importer.location(), code,
      builder.getStringAttr(proto.kernel_spec().kernel_name()),
      builder.getDenseI64ArrayAttr(dimensions(proto.block_dims().coordinates())),
      builder.getDenseI64ArrayAttr(dimensions(proto.thread_dims().coordinates())),
      builder.getI64IntegerAttr(proto.shared_memory_bytes()), accessOf(builder, thunk),
      parameters, cluster, launch.use_pdl() ? builder.getUnitAttr() : mlir::UnitAttr(),
      zeroed, shapes.shapes, shapes.layouts, buffers);
}

Imported importCustomKernel(ThunkImporter& importer, wire::ThunkProto& thunk) {
  wire::KernelLoaderSpecProto& spec = *thunk.mutable_custom_kernel_thunk()
                                           ->mutable_custom_kernel()
                                           ->mutable_kernel_spec();
  const mlir::FlatSymbolRefAttr code = importer.code().take(spec);
  if (!code) return general();
  return kernel(importer, thunk, code);
}

// A launch of code that belongs to the module becomes one with its own.
wire::CustomKernelThunkProto withOwnCode(const wire::KernelThunkProto& proto) {
  wire::CustomKernelThunkProto launch;
  for (int i = 0; i < proto.args_size(); ++i) {
    wire::ShapedSliceProto& argument = *launch.add_args();
    *argument.mutable_slice() = proto.args(i);
    if (i < proto.args_shape_size()) *argument.mutable_shape() = proto.args_shape(i);
  }
  *launch.mutable_written() = proto.written();
  *launch.mutable_zeroed_output_buffer_indices() = proto.zeroed_output_buffer_indices();
  launch.set_use_pdl(proto.use_pdl());
  if (proto.has_tma_metadata()) *launch.mutable_tma_metadata() = proto.tma_metadata();
  wire::CustomKernelProto& kernel = *launch.mutable_custom_kernel();
  kernel.set_name(proto.kernel_name());
  kernel.mutable_kernel_spec()->set_kernel_name(proto.kernel_name());
  kernel.mutable_kernel_spec()->set_arity(proto.args_size());
  *kernel.mutable_block_dims() = proto.launch_dimensions().block_counts();
  *kernel.mutable_thread_dims() = proto.launch_dimensions().thread_counts_per_block();
  if (proto.has_cluster_dim()) *kernel.mutable_cluster_dim() = proto.cluster_dim();
  kernel.set_shared_memory_bytes(proto.shmem_bytes());
  return launch;
}

Imported importKernel(ThunkImporter& importer, wire::ThunkProto& thunk) {
  const mlir::FlatSymbolRefAttr code =
      importer.code().moduleCode(thunk.kernel_thunk().kernel_name());
  if (!code) return general();
  wire::CustomKernelThunkProto launch = withOwnCode(thunk.kernel_thunk());
  thunk.mutable_custom_kernel_thunk()->Swap(&launch);
  return kernel(importer, thunk, code);
}

using NullableSlices = google::protobuf::RepeatedPtrField<wire::NullableShapedSliceProto>;

bool addSlices(ThunkImporter& importer, const NullableSlices& list,
               llvm::SmallVectorImpl<mlir::Value>& buffers,
               llvm::SmallVectorImpl<const wire::ShapedSliceProto*>& slices) {
  for (const wire::NullableShapedSliceProto& slice : list) {
    if (!slice.has_shaped_slice()) return false;
    slices.push_back(&slice.shaped_slice());
  }
  for (const wire::ShapedSliceProto* slice : slices) {
    buffers.push_back(importer.buffer(*slice));
  }
  return true;
}

// Only what a typed handler is called with can be said: no computation, no state that
// a handler saved.
Imported importCustomCall(ThunkImporter& importer, wire::ThunkProto& thunk) {
  const wire::CustomCallThunkProto& call = thunk.custom_call_thunk();
  if (call.api_version() != wire::API_VERSION_TYPED_FFI || !call.opaque().empty() ||
      call.has_called_computation() || !call.execution_state().type_name().empty()) {
    return general();
  }
  mlir::OpBuilder& builder = importer.builder();
  const mlir::DictionaryAttr config =
      readBackendConfig(builder.getContext(), call.attributes());
  llvm::SmallVector<mlir::Value> buffers;
  llvm::SmallVector<const wire::ShapedSliceProto*> operands;
  llvm::SmallVector<const wire::ShapedSliceProto*> results;
  if (!config || !addSlices(importer, call.operands(), buffers, operands) ||
      !addSlices(importer, call.results(), buffers, results)) {
    return general();
  }
  const ShapeAttributes operandShapes = importer.shapesOf(operands);
  const ShapeAttributes resultShapes = importer.shapesOf(results);
  const auto unit = [&](bool set) {
    return set ? builder.getUnitAttr() : mlir::UnitAttr();
  };
  return CustomCallOp::create(
             builder, importer.location(), builder.getStringAttr(call.target_name()),
             builder.getI64IntegerAttr(call.operands_size()),
             builder.getI64IntegerAttr(call.results_size()), config, operandShapes.shapes,
             resultShapes.shapes, operandShapes.layouts, resultShapes.layouts,
             unit(call.use_pdl()), unit(call.has_execution_state()), buffers)
      .getOperation();
}

constexpr KindImport kImports[] = {
    {schema::ThunkKind::kKernel, importKernel},
    {schema::ThunkKind::kCustomKernel, importCustomKernel},
    {schema::ThunkKind::kCustomCall, importCustomCall},
};

}  // namespace

absl::Span<const KindImport> callImports() { return kImports; }

// Operands are whole allocations in the order in which slices mention them; slices
// count them and keep their offsets.
mlir::FailureOr<mlir::Operation*> importPayload(ThunkImporter& importer,
                                                wire::ThunkProto& thunk) {
  mlir::OpBuilder& builder = importer.builder();
  llvm::SmallVector<mlir::Attribute> code;
  std::string name = schema::KindNameOf(thunk);
  bool named = false;
  bool attached = false;
  for (wire::KernelLoaderSpecProto* spec : kernelsOf(thunk)) {
    if (!std::exchange(named, true)) name = spec->kernel_name();
    const mlir::FlatSymbolRefAttr symbol = importer.code().take(*spec);
    attached = attached || symbol;
    code.push_back(symbol ? mlir::Attribute(symbol) : builder.getUnitAttr());
  }
  std::map<int64_t, int64_t> numbers;
  llvm::SmallVector<mlir::Value> buffers;
  for (wire::BufferAllocationSliceProto* slice : slicesOf(thunk)) {
    const int64_t allocation = slice->buffer_allocation_index();
    const auto [number, added] =
        numbers.emplace(allocation, static_cast<int64_t>(buffers.size()));
    if (added) {
      // Some slices are no access, so that no rule has seen them.
      const mlir::Value buffer = importer.allocation(allocation);
      if (!buffer) {
        return importer.emitError() << "names allocation " << allocation
                                    << ", which nothing in the program uses";
      }
      buffers.push_back(buffer);
    }
    slice->set_buffer_allocation_index(number->second);
  }
  // What cannot be looked into may refer to any of them, by the number it has.
  if (!schema::KindOf(thunk).ok()) {
    const mlir::FailureOr<llvm::SmallVector<mlir::Value>> all = importer.allocations();
    if (mlir::failed(all)) return mlir::failure();
    buffers = *all;
  }
  for (wire::ThunkProto* embedded : embeddedThunksOf(thunk)) {
    if (embedded->has_thunk_info()) embedded->mutable_thunk_info()->clear_thunk_id();
  }
  return CallThunkProtoOp::create(
             builder, importer.location(), builder.getStringAttr(name),
             builder.getStringAttr(bytesOf(thunk)),
             attached ? builder.getArrayAttr(code) : nullptr, buffers)
      .getOperation();
}

}  // namespace thunky::compiler
