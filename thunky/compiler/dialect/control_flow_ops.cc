// Branches, loops and asynchronous work.
#include "mlir/Interfaces/CallInterfaces.h"
#include "thunky/compiler/dialect/accesses.h"
#include "thunky/compiler/dialect/shapes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {
namespace {

bool isFresh(const wire::ThunkProto& thunk) {
  return thunk.impl_case() == wire::ThunkProto::IMPL_NOT_SET;
}

bool overlap(const BufferRange& a, const BufferRange& b) {
  return a.root == b.root && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

// Whether something in the region may write a byte of the range.
bool mayWrite(mlir::Region& region, const BufferRange& range) {
  const mlir::WalkResult result = region.walk([&](mlir::Operation* op) {
    // What a function does is seen once it is inlined.
    if (llvm::isa<mlir::CallOpInterface>(op)) return mlir::WalkResult::interrupt();
    auto thunk = llvm::dyn_cast<ThunkOpInterface>(op);
    if (!thunk) return mlir::WalkResult::advance();
    llvm::SmallVector<BufferAccess> accesses;
    thunk.getAccesses(accesses);
    const bool writes = llvm::any_of(accesses, [&](const BufferAccess& access) {
      return schema::Writes(access.mode) && overlap(access.range, range);
    });
    return writes ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return result.wasInterrupted();
}

}  // namespace

llvm::LogicalResult CondOp::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  const ShapeList shapes(getShapesAttr(), getLayoutsAttr());
  if (mlir::failed(shapes.verify(*this, 1))) return mlir::failure();
  const bool fresh = isFresh(thunk);
  const bool isBool = resolveBuffer(getIndex()).size == 1;
  const mlir::Type wanted = mlir::IntegerType::get(getContext(), isBool ? 1 : 32);
  if (!shapes.empty() && shapes[0] != mlir::RankedTensorType::get({}, wanted)) {
    return emitOpError("index is of type ")
           << shapes[0] << "; " << wanted << " is needed";
  }
  wire::ConditionalThunkProto& cond = *thunk.mutable_conditional_thunk();
  wire::ShapedSliceProto& index = *cond.mutable_branch_index_buffer();
  lowering.setShapedSlice(getIndex(), shapes, 0, false, index);
  if (fresh && shapes.empty()) {
    writeShape(isBool ? wire::PRED : wire::S32, {}, *index.mutable_shape());
    index.mutable_slice()->set_element_type(index.shape().element_type());
  }
  auto& branches = *cond.mutable_branch_thunks();
  const int count = static_cast<int>(getBranches().size());
  while (branches.size() > count) branches.RemoveLast();
  while (branches.size() < count) branches.Add();
  for (int i = 0; i < count; ++i) {
    branches[i].clear_thunks();
    if (mlir::failed(
            lowering.lowerRegion(getBranches()[i], *branches[i].mutable_thunks()))) {
      return mlir::failure();
    }
  }
  return mlir::success();
}

// Without work in any branch it does not matter which one runs.
llvm::LogicalResult CondOp::canonicalize(CondOp op, mlir::PatternRewriter& rewriter) {
  for (mlir::Region& branch : op.getBranches()) {
    if (!llvm::hasSingleElement(branch.front())) return mlir::failure();
  }
  rewriter.eraseOp(op);
  return mlir::success();
}

llvm::LogicalResult WhileOp::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  const bool fresh = isFresh(thunk);
  wire::WhileThunkProto& loop = *thunk.mutable_while_thunk();
  wire::BufferAllocationSliceProto& condition =
      *loop.mutable_condition_result_buffer_index();
  lowering.setSlice(getCondition(), condition);
  if (fresh) condition.set_element_type(wire::PRED);
  if (getTripCount().has_value()) {
    loop.set_trip_count(static_cast<int64_t>(*getTripCount()));
  } else {
    loop.clear_trip_count();
  }
  auto& condThunks = *loop.mutable_condition_thunk_sequence()->mutable_thunks();
  auto& bodyThunks = *loop.mutable_body_thunk_sequence()->mutable_thunks();
  condThunks.Clear();
  bodyThunks.Clear();
  if (mlir::failed(lowering.lowerRegion(getCond(), condThunks))) return mlir::failure();
  return lowering.lowerRegion(getBody(), bodyThunks);
}

llvm::LogicalResult WhileOp::verifyRegions() {
  if (getTripCount().has_value()) return mlir::success();
  if (mayWrite(getCond(), resolveBuffer(getCondition()))) return mlir::success();
  return emitOpError(
      "has a condition region in which nothing writes the condition; without a trip "
      "count it must");
}

llvm::LogicalResult AsyncStartOp::lower(ThunkLowering& lowering,
                                        wire::ThunkProto& thunk) {
  const auto stream = static_cast<int64_t>(getStreamId());
  if (stream < 0) return emitOpError("has stream ") << stream << "; it must be 0 or more";
  const bool fresh = isFresh(thunk);
  wire::AsyncStartThunkProto& start = *thunk.mutable_async_start_thunk();
  const bool unset = start.execution_stream_id_case() ==
                     wire::AsyncStartThunkProto::EXECUTION_STREAM_ID_NOT_SET;
  if (getIsCommunication()) {
    start.set_communication_stream_id(stream);
  } else if (fresh || !unset || stream != 0) {
    // A file that names no stream means computation stream 0, and keeps it so.
    start.set_computation_stream_id(stream);
  }
  start.set_async_execution_id(lowering.asyncIdOf(getToken()));
  auto& thunks = *start.mutable_thunks()->mutable_thunks();
  thunks.Clear();
  return lowering.lowerRegion(getBody(), thunks);
}

llvm::LogicalResult AsyncStartOp::verify() {
  const auto joins = std::distance(getToken().use_begin(), getToken().use_end());
  if (joins == 1) return mlir::success();
  mlir::InFlightDiagnostic diagnostic = emitOpError("has a token that is joined ")
                                        << joins << " times; exactly one "
                                        << "thunky.async_done is needed";
  for (mlir::Operation* user : getToken().getUsers()) {
    diagnostic.attachNote(user->getLoc()) << "joined here";
  }
  return diagnostic;
}

llvm::LogicalResult AsyncDoneOp::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  thunk.mutable_async_done_thunk()->set_async_execution_id(
      lowering.asyncIdOf(getToken()));
  return mlir::success();
}

// Joined once on every path: in the list where the work was started, or in a body of
// work or group there, which runs exactly once.
llvm::LogicalResult AsyncDoneOp::verify() {
  auto start = getToken().getDefiningOp<AsyncStartOp>();
  if (!start) {
    return emitOpError("joins a token that no thunky.async_start of this function gives");
  }
  for (mlir::Operation* at = getOperation(); at->getBlock() != start->getBlock();) {
    at = at->getParentOp();
    if (at != nullptr && llvm::isa<AsyncStartOp, CollectiveGroupOp>(at)) continue;
    mlir::InFlightDiagnostic diagnostic = emitOpError(
        "joins work that was started outside of its region; the same region, or the body "
        "of asynchronous work or of a group in it, is allowed");
    diagnostic.attachNote(start.getLoc()) << "started here";
    return diagnostic;
  }
  return mlir::success();
}

}  // namespace thunky::compiler
