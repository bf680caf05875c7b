#include "thunky/compiler/dialect/accesses.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/schema/allocations.h"
#include "thunky/schema/executable_rules.h"
#include "thunky/schema/kinds.h"
#include "thunky/schema/walk.h"

namespace thunky::compiler {
namespace {

// A thunk by itself: root buffers are numbered as they are met, and what lies in
// regions is left out.
class LocalLowering : public ThunkLowering {
 public:
  llvm::LogicalResult lowerRegion(
      mlir::Region&, google::protobuf::RepeatedPtrField<wire::ThunkProto>&) override {
    return mlir::success();
  }
  uint64_t asyncIdOf(mlir::Value) override { return 0; }
  llvm::LogicalResult attachCode(mlir::Operation*, mlir::FlatSymbolRefAttr,
                                 wire::KernelLoaderSpecProto& spec) override {
    // Any code: which one there is matters in the program only.
    spec.mutable_ptx()->set_data("code");
    return mlir::success();
  }

  const schema::AllocationList& allocations() const { return allocations_; }
  // Null for a number that was not given.
  mlir::Value root(int64_t allocation) const {
    return allocation >= 0 && allocation < static_cast<int64_t>(roots_.size())
               ? roots_[allocation]
               : mlir::Value();
  }

 protected:
  int64_t allocationOf(mlir::Value root) override {
    const auto [position, added] = numbers_.try_emplace(root, roots_.size());
    if (added) {
      roots_.push_back(root);
      wire::BufferAllocationProto& allocation = *allocations_.Add();
      allocation.set_index(position->second);
      allocation.set_size(llvm::cast<BufferType>(root.getType()).getSize());
    }
    return position->second;
  }

 private:
  llvm::SmallDenseMap<mlir::Value, int64_t, 8> numbers_;
  llvm::SmallVector<mlir::Value, 8> roots_;
  schema::AllocationList allocations_;
};

llvm::LogicalResult lowerAlone(mlir::Operation* op, LocalLowering& lowering,
                               wire::ThunkProto& thunk) {
  if (mlir::failed(readResidual(op, thunk))) return mlir::failure();
  return llvm::cast<ThunkOpInterface>(op).lower(lowering, thunk);
}

// Loops around the operation. A function may be called in any number of them.
int64_t enclosingLoops(mlir::Operation* op) {
  int64_t loops = 0;
  for (mlir::Operation* at = op->getParentOp(); at != nullptr; at = at->getParentOp()) {
    if (llvm::isa<WhileOp>(at)) ++loops;
    if (auto function = llvm::dyn_cast<mlir::func::FuncOp>(at)) {
      return function.isPublic() ? loops : schema::kMaxThunkDepth;
    }
  }
  return loops;
}

// Of a payload that nobody can look into: all its operands may be read and written, but
// for constants.
void unknownAccesses(mlir::Operation* op, llvm::SmallVectorImpl<BufferAccess>& accesses) {
  for (const auto& [i, buffer] : llvm::enumerate(op->getOperands())) {
    const BufferRange range = resolveBuffer(buffer);
    const bool isConstant = range.root.getDefiningOp<ConstantOp>() != nullptr;
    accesses.push_back(
        {range, isConstant ? schema::AccessMode::kRead : schema::AccessMode::kReadWrite,
         absl::StrCat("operands[", i, "]"), /*workspace=*/false, /*assumed=*/true});
  }
}

std::string messageOf(const absl::Status& status) {
  return std::string(status.message());
}

}  // namespace

// Operations are verified before it is known that what they use comes before them, so
// a slice met here may be one that is not well formed, or one of itself. Its own
// verifier says so; here it counts as a root.
BufferRange resolveBuffer(mlir::Value buffer) {
  BufferRange range = {buffer, 0, llvm::cast<BufferType>(buffer.getType()).getSize()};
  for (int depth = 0; depth <= kMaxSliceDepth; ++depth) {
    auto slice = range.root.getDefiningOp<SliceBufferOp>();
    if (!slice || slice->getNumOperands() != 1 || !slice.getOffsetAttr() ||
        !llvm::isa<BufferType>(slice->getOperand(0).getType()) ||
        __builtin_add_overflow(range.offset, static_cast<int64_t>(slice.getOffset()),
                               &range.offset)) {
      break;
    }
    range.root = slice.getSource();
  }
  return range;
}

void accessesOf(mlir::Operation* op, llvm::SmallVectorImpl<BufferAccess>& accesses) {
  LocalLowering lowering;
  wire::ThunkProto thunk;
  if (mlir::failed(lowerAlone(op, lowering, thunk))) return;
  const absl::StatusOr<schema::ThunkKind> kind = schema::KindOf(thunk);
  if (!kind.ok()) return unknownAccesses(op, accesses);
  for (schema::Access& access : schema::AccessesOf(*kind, thunk)) {
    const schema::Slice& slice = access.slice;
    const mlir::Value root = lowering.root(slice.allocation);
    if (!root) continue;  // not verified
    accesses.push_back({{root, slice.offset, slice.size},
                        access.mode,
                        std::move(access.role),
                        access.workspace});
  }
}

std::optional<wire::ThunkProto> thunkOf(mlir::Operation* op) {
  LocalLowering lowering;
  wire::ThunkProto thunk;
  if (mlir::failed(lowerAlone(op, lowering, thunk))) return std::nullopt;
  return thunk;
}

llvm::LogicalResult verifyThunk(mlir::Operation* op) {
  LocalLowering lowering;
  schema::ThunkList list;
  wire::ThunkProto& thunk = *list.Add();
  if (mlir::failed(lowerAlone(op, lowering, thunk))) return mlir::failure();
  // A payload holds its thunks itself; those of other operations are in regions, where
  // they verify themselves.
  const absl::Status status =
      llvm::isa<CallThunkProtoOp>(op)
          ? schema::VerifyThunks(list, lowering.allocations(), enclosingLoops(op),
                                 schema::UnknownKinds::kAllow)
          : schema::VerifyThunk(thunk, lowering.allocations(), enclosingLoops(op));
  if (!status.ok()) return op->emitOpError(messageOf(status));
  const absl::StatusOr<schema::ThunkKind> kind = schema::KindOf(thunk);
  if (!kind.ok()) return mlir::success();
  for (const schema::Access& access : schema::AccessesOf(*kind, thunk)) {
    if (!schema::Writes(access.mode) || access.slice.size == 0) continue;
    auto constant = lowering.root(access.slice.allocation).getDefiningOp<ConstantOp>();
    if (!constant) continue;
    mlir::InFlightDiagnostic diagnostic = op->emitOpError(access.role);
    diagnostic << " writes a constant; constants are read only";
    diagnostic.attachNote(constant.getLoc()) << "the constant";
    return diagnostic;
  }
  return mlir::success();
}

}  // namespace thunky::compiler
