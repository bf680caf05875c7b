#include "test/programs/thunk_protos.h"

#include "gtest/gtest.h"

namespace thunky::program_tests {
namespace {

wire::ThunkProto NewThunk(const std::string& annotation) {
  wire::ThunkProto thunk;
  thunk.mutable_thunk_info()->set_profile_annotation(annotation);
  return thunk;
}

void Append(Thunks thunks, google::protobuf::RepeatedPtrField<wire::ThunkProto>* list) {
  for (wire::ThunkProto& thunk : thunks) *list->Add() = std::move(thunk);
}

void SetDims(const hal::Dim3& dims, wire::Dim3DProto* proto) {
  proto->set_x(static_cast<int64_t>(dims.x));
  proto->set_y(static_cast<int64_t>(dims.y));
  proto->set_z(static_cast<int64_t>(dims.z));
}

}  // namespace

int64_t ElementBytes(wire::PrimitiveType type) {
  switch (type) {
    case wire::PRED:
    case wire::S8:
    case wire::U8:
      return 1;
    case wire::S16:
    case wire::U16:
      return 2;
    case wire::S32:
    case wire::U32:
    case wire::F32:
      return 4;
    case wire::S64:
    case wire::U64:
    case wire::F64:
      return 8;
    default:
      ADD_FAILURE() << "no test program has elements of type " << type;
      return 1;
  }
}

wire::ShapeProto ShapeOf(wire::PrimitiveType type, const Dims& dims) {
  wire::ShapeProto shape;
  shape.set_element_type(type);
  wire::LayoutProto* layout = shape.mutable_layout();
  for (size_t i = 0; i < dims.size(); ++i) {
    shape.add_dimensions(dims[i]);
    shape.add_is_dynamic_dimension(false);
    layout->add_minor_to_major(static_cast<int64_t>(dims.size() - 1 - i));
  }
  layout->set_tail_padding_alignment_in_elements(1);
  return shape;
}

int64_t Ref::size() const {
  int64_t bytes = ElementBytes(type);
  for (int64_t d : dims) bytes *= d;
  return bytes;
}

Ref Ref::Elements(int64_t first, int64_t count) const {
  return {allocation, offset + first * ElementBytes(type), type, {count}};
}

wire::BufferAllocationSliceProto Ref::Slice() const {
  wire::BufferAllocationSliceProto slice;
  slice.set_buffer_allocation_index(allocation);
  slice.set_offset(offset);
  slice.set_size(size());
  slice.set_element_type(type);
  return slice;
}

wire::ShapedSliceProto Ref::ShapedSlice() const {
  wire::ShapedSliceProto shaped;
  *shaped.mutable_slice() = Slice();
  *shaped.mutable_shape() = ShapeOf(type, dims);
  return shaped;
}

KernelArgument Read(Ref buffer) {
  return {.buffer = std::move(buffer), .written = false};
}
KernelArgument Written(Ref buffer) {
  return {.buffer = std::move(buffer), .written = true};
}

wire::ThunkProto Kernel(const KernelCall& call) {
  wire::ThunkProto thunk =
      NewThunk(call.annotation.empty() ? call.entry : call.annotation);
  wire::CustomKernelThunkProto* proto = thunk.mutable_custom_kernel_thunk();
  wire::CustomKernelProto* kernel = proto->mutable_custom_kernel();
  kernel->set_name(call.entry);
  wire::KernelLoaderSpecProto* spec = kernel->mutable_kernel_spec();
  spec->mutable_ptx()->set_data(call.ptx);
  spec->set_arity(static_cast<int32_t>(call.arguments.size()));
  spec->set_kernel_name(call.entry);
  for (const KernelArgument& argument : call.arguments) {
    auto* packed = spec->mutable_kernel_args_packing_spec()->add_kernel_arguments();
    if (!argument.buffer.has_value()) {
      packed->set_data(argument.bytes);
      continue;
    }
    auto* relocation = packed->add_relocations();
    relocation->set_kind(wire::KernelArgPackingRelocationProto::KIND_BITS64_ABSOLUTE);
    relocation->set_argument_index(proto->args_size());
    *proto->add_args() = argument.buffer->ShapedSlice();
    proto->add_written(argument.written);
  }
  SetDims(call.grid, kernel->mutable_block_dims()->mutable_coordinates());
  SetDims(call.block, kernel->mutable_thread_dims()->mutable_coordinates());
  kernel->set_shared_memory_bytes(call.shared_bytes);
  return thunk;
}

wire::ThunkProto Copy(const Ref& source, const Ref& destination) {
  wire::ThunkProto thunk = NewThunk("copy");
  wire::CopyThunkProto* proto =
      thunk.mutable_device_to_device_copy_thunk()->mutable_copy_thunk();
  *proto->mutable_source_buffer() = source.ShapedSlice();
  *proto->mutable_destination_buffer() = destination.ShapedSlice();
  proto->set_mem_size(destination.size());
  return thunk;
}

wire::ThunkProto Memzero(const Ref& destination) {
  wire::ThunkProto thunk = NewThunk("memzero");
  *thunk.mutable_memzero_thunk()->mutable_dest_buffer() = destination.ShapedSlice();
  return thunk;
}

wire::ThunkProto Memset32(const Ref& destination, uint32_t value) {
  wire::ThunkProto thunk = NewThunk("memset32");
  wire::Memset32BitValueThunkProto* proto = thunk.mutable_memset32bit_value_thunk();
  *proto->mutable_dest_buffer() = destination.Slice();
  proto->set_value(value);
  return thunk;
}

wire::ThunkProto PartitionId(const Ref& destination) {
  wire::ThunkProto thunk = NewThunk("partition-id");
  *thunk.mutable_partition_id_thunk()->mutable_dest_buffer() = destination.Slice();
  return thunk;
}

wire::ThunkProto ReplicaId(const Ref& destination) {
  wire::ThunkProto thunk = NewThunk("replica-id");
  *thunk.mutable_replica_id_thunk()->mutable_dest_buffer() = destination.Slice();
  return thunk;
}

wire::ThunkProto Sequential(Thunks thunks) {
  wire::ThunkProto thunk = NewThunk("sequential");
  Append(std::move(thunks), thunk.mutable_sequential_thunk()->mutable_thunks());
  return thunk;
}

wire::ThunkProto While(const Ref& predicate, Thunks condition, Thunks body,
                       std::optional<int64_t> trip_count) {
  wire::ThunkProto thunk = NewThunk("while");
  wire::WhileThunkProto* proto = thunk.mutable_while_thunk();
  *proto->mutable_condition_result_buffer_index() = predicate.Slice();
  Append(std::move(condition),
         proto->mutable_condition_thunk_sequence()->mutable_thunks());
  Append(std::move(body), proto->mutable_body_thunk_sequence()->mutable_thunks());
  if (trip_count.has_value()) proto->set_trip_count(*trip_count);
  return thunk;
}

wire::ThunkProto Conditional(const Ref& index, std::vector<Thunks> branches) {
  wire::ThunkProto thunk = NewThunk("conditional");
  wire::ConditionalThunkProto* proto = thunk.mutable_conditional_thunk();
  *proto->mutable_branch_index_buffer() = index.ShapedSlice();
  for (Thunks& branch : branches) {
    Append(std::move(branch), proto->add_branch_thunks()->mutable_thunks());
  }
  return thunk;
}

wire::ThunkProto AsyncStart(uint64_t id, StreamKind kind, uint64_t stream, Thunks body) {
  wire::ThunkProto thunk = NewThunk("async-start");
  wire::AsyncStartThunkProto* proto = thunk.mutable_async_start_thunk();
  proto->set_async_execution_id(id);
  Append(std::move(body), proto->mutable_thunks()->mutable_thunks());
  if (kind == StreamKind::kComputation) {
    proto->set_computation_stream_id(stream);
  } else {
    proto->set_communication_stream_id(stream);
  }
  return thunk;
}

wire::ThunkProto AsyncDone(uint64_t id) {
  wire::ThunkProto thunk = NewThunk("async-done");
  thunk.mutable_async_done_thunk()->set_async_execution_id(id);
  return thunk;
}

wire::ThunkProto CustomCall(const std::string& target, const std::vector<Ref>& operands,
                            const std::vector<Ref>& results) {
  wire::ThunkProto thunk = NewThunk("custom-call");
  wire::CustomCallThunkProto* proto = thunk.mutable_custom_call_thunk();
  proto->set_target_name(target);
  proto->set_api_version(wire::API_VERSION_TYPED_FFI);
  for (const Ref& operand : operands) {
    *proto->add_operands()->mutable_shaped_slice() = operand.ShapedSlice();
  }
  for (const Ref& result : results) {
    *proto->add_results()->mutable_shaped_slice() = result.ShapedSlice();
  }
  return thunk;
}

OffsetExpr ConstantOffset(int64_t value) {
  OffsetExpr expr;
  expr.set_kind(OffsetExpr::CONSTANT);
  expr.set_value(value);
  return expr;
}

OffsetExpr ParameterOffset(int64_t parameter) {
  OffsetExpr expr;
  expr.set_kind(OffsetExpr::PARAMETER);
  expr.set_value(parameter);
  return expr;
}

OffsetExpr CombinedOffset(OffsetExpr::Kind kind, std::vector<OffsetExpr> operands) {
  OffsetExpr expr;
  expr.set_kind(kind);
  for (OffsetExpr& operand : operands) *expr.add_operands() = std::move(operand);
  return expr;
}

OffsetExpr ComparedOffset(OffsetExpr::CompareDirection direction, OffsetExpr a,
                          OffsetExpr b) {
  OffsetExpr expr = CombinedOffset(OffsetExpr::COMPARE, {std::move(a), std::move(b)});
  expr.set_compare_direction(direction);
  return expr;
}

namespace {

using FusionProto = wire::DynamicSliceFusionThunkProto;

void SetConfig(const IterationOffset& offset, wire::DynamicSliceConfig* config) {
  config->set_loop_index(offset.loop);
  config->set_byte_offset(offset.byte_offset);
  config->set_byte_stride(offset.byte_stride);
}

void SetStarts(const std::vector<OffsetExpr>& starts,
               google::protobuf::RepeatedPtrField<FusionProto::OffsetProto>* list) {
  for (size_t i = 0; i < starts.size(); ++i) {
    FusionProto::OffsetProto* offset = list->Add();
    offset->set_dimension_number(static_cast<int64_t>(i));
    *offset->mutable_offset() = starts[i];
  }
}

}  // namespace

wire::ThunkProto DynamicSliceFusion(const SliceFusion& fusion) {
  wire::ThunkProto thunk =
      NewThunk(fusion.annotation.empty() ? "dynamic_slice_fusion" : fusion.annotation);
  FusionProto* proto = thunk.mutable_dynamic_slice_fusion_thunk();
  auto add_local = [&](wire::PrimitiveType type, const Dims& dims) {
    wire::BufferAllocationProto* local = proto->add_slice_allocations();
    local->set_index(proto->slice_allocations_size() - 1);
    local->set_size(Ref{.type = type, .dims = dims}.size());
  };
  for (const Ref& parameter : fusion.parameters) {
    *proto->add_parameter_buffers() = parameter.Slice();
  }
  for (const FusionParameter& input : fusion.inputs) {
    const Ref& buffer = fusion.parameters[static_cast<size_t>(input.number)];
    FusionProto::ParameterProto* parameter = proto->add_parameters();
    parameter->set_parameter_number(input.number);
    *parameter->mutable_parameter_shape() = ShapeOf(buffer.type, buffer.dims);
    *parameter->mutable_slice_shape() = ShapeOf(buffer.type, input.part.dims);
    if (input.part.iteration.has_value()) {
      SetConfig(*input.part.iteration, parameter->mutable_slice_config());
    }
    SetStarts(input.part.starts, parameter->mutable_slice_offsets());
    add_local(buffer.type, input.part.dims);
  }
  for (size_t i = 0; i < fusion.results.size(); ++i) {
    const FusionResult& output = fusion.results[i];
    FusionProto::ResultProto* result = proto->add_results();
    if (output.parameter.has_value()) result->set_parameter_number(*output.parameter);
    result->set_result_number(static_cast<int64_t>(i));
    *result->mutable_result_shape() = ShapeOf(output.buffer.type, output.buffer.dims);
    *result->mutable_update_shape() = ShapeOf(output.buffer.type, output.part.dims);
    if (output.part.iteration.has_value()) {
      SetConfig(*output.part.iteration, result->mutable_update_config());
    }
    SetStarts(output.part.starts, result->mutable_update_offsets());
    *proto->add_result_buffers() = output.buffer.Slice();
    add_local(output.buffer.type, output.part.dims);
  }
  Append(fusion.embedded, proto->mutable_embedded_thunks()->mutable_thunks());
  return thunk;
}

wire::ThunkProto Annotated(wire::ThunkProto thunk, const std::string& annotation) {
  thunk.mutable_thunk_info()->set_profile_annotation(annotation);
  return thunk;
}

}  // namespace thunky::program_tests
