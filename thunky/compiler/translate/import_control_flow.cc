// Branches, loops, asynchronous work and groups.
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/thunk_importer.h"

namespace thunky::compiler {
namespace {

using Imported = mlir::FailureOr<mlir::Operation*>;

// Takes the thunks out of a list, so that what stays is what the operation itself has
// to say.
schema::ThunkList taken(schema::ThunkList& thunks) {
  schema::ThunkList list;
  list.Swap(&thunks);
  return list;
}

Imported importConditional(ThunkImporter& importer, wire::ThunkProto& thunk) {
  wire::ConditionalThunkProto& cond = *thunk.mutable_conditional_thunk();
  const wire::ShapedSliceProto& index = cond.branch_index_buffer();
  // A scalar bool or i32 is what the operation says without shapes.
  ShapeAttributes shapes = importer.shapesOf({&index});
  if (index.shape().dimensions().empty() && (index.shape().element_type() == wire::PRED ||
                                             index.shape().element_type() == wire::S32)) {
    shapes = {};
  }
  auto op = CondOp::create(importer.builder(), importer.location(),
                           importer.buffer(index), shapes.shapes, shapes.layouts,
                           static_cast<unsigned>(cond.branch_thunks_size()));
  for (int i = 0; i < cond.branch_thunks_size(); ++i) {
    schema::ThunkList thunks = taken(*cond.mutable_branch_thunks(i)->mutable_thunks());
    if (mlir::failed(importer.importRegion(
            op.getBranches()[i], "cond.branches[" + std::to_string(i) + "]", thunks))) {
      return mlir::failure();
    }
  }
  return op.getOperation();
}

Imported importWhile(ThunkImporter& importer, wire::ThunkProto& thunk) {
  wire::WhileThunkProto& loop = *thunk.mutable_while_thunk();
  mlir::OpBuilder& builder = importer.builder();
  mlir::IntegerAttr tripCount;
  if (loop.has_trip_count()) tripCount = builder.getI64IntegerAttr(loop.trip_count());
  auto op =
      WhileOp::create(builder, importer.location(),
                      importer.buffer(loop.condition_result_buffer_index()), tripCount);
  schema::ThunkList cond =
      taken(*loop.mutable_condition_thunk_sequence()->mutable_thunks());
  schema::ThunkList body = taken(*loop.mutable_body_thunk_sequence()->mutable_thunks());
  if (mlir::failed(importer.importRegion(op.getCond(), "while.cond", cond)) ||
      mlir::failed(importer.importRegion(op.getBody(), "while.body", body))) {
    return mlir::failure();
  }
  return op.getOperation();
}

Imported importAsyncStart(ThunkImporter& importer, wire::ThunkProto& thunk) {
  wire::AsyncStartThunkProto& start = *thunk.mutable_async_start_thunk();
  mlir::OpBuilder& builder = importer.builder();
  const bool communication = start.execution_stream_id_case() ==
                             wire::AsyncStartThunkProto::kCommunicationStreamId;
  const uint64_t stream =
      communication ? start.communication_stream_id() : start.computation_stream_id();
  auto op = AsyncStartOp::create(builder, importer.location(),
                                 TokenType::get(builder.getContext()),
                                 builder.getI64IntegerAttr(static_cast<int64_t>(stream)),
                                 builder.getBoolAttr(communication));
  schema::ThunkList body = taken(*start.mutable_thunks()->mutable_thunks());
  if (mlir::failed(importer.importRegion(op.getBody(), "async_start.body", body))) {
    return mlir::failure();
  }
  // Work that it holds cannot join it.
  importer.setToken(start.async_execution_id(), op.getToken());
  return op.getOperation();
}

Imported importAsyncDone(ThunkImporter& importer, wire::ThunkProto& thunk) {
  const uint64_t id = thunk.async_done_thunk().async_execution_id();
  const mlir::Value token = importer.token(id);
  if (!token) {
    return importer.emitError()
           << "async_done joins execution " << id << ", which nothing before it started";
  }
  return AsyncDoneOp::create(importer.builder(), importer.location(), token)
      .getOperation();
}

Imported importGroup(ThunkImporter& importer, wire::ThunkProto& thunk) {
  auto op = CollectiveGroupOp::create(importer.builder(), importer.location());
  schema::ThunkList body =
      taken(*thunk.mutable_collective_group_thunk()->mutable_thunks());
  if (mlir::failed(importer.importRegion(op.getBody(), "collective_group", body))) {
    return mlir::failure();
  }
  return op.getOperation();
}

constexpr KindImport kImports[] = {
    {schema::ThunkKind::kConditional, importConditional},
    {schema::ThunkKind::kWhile, importWhile},
    {schema::ThunkKind::kAsyncStart, importAsyncStart},
    {schema::ThunkKind::kAsyncDone, importAsyncDone},
    {schema::ThunkKind::kCollectiveGroup, importGroup},
};

}  // namespace

absl::Span<const KindImport> controlFlowImports() { return kImports; }

}  // namespace thunky::compiler
