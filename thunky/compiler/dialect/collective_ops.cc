// Collectives.
#include <set>

#include "thunky/compiler/dialect/collective_groups.h"
#include "thunky/compiler/dialect/payload.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/shapes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/schema/kinds.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::compiler {
namespace {

bool isFresh(const wire::ThunkProto& thunk) {
  return thunk.impl_case() == wire::ThunkProto::IMPL_NOT_SET;
}

// One type for all pairs, or one for each.
llvm::LogicalResult readElementTypes(mlir::Operation* op, mlir::Attribute attribute,
                                     size_t pairs,
                                     std::vector<wire::PrimitiveType>& types) {
  const auto add = [&](mlir::Attribute element) {
    auto type = llvm::dyn_cast<mlir::TypeAttr>(element);
    types.push_back(type ? elementTypeOf(type.getValue()) : wire::PRIMITIVE_TYPE_INVALID);
    return types.back() != wire::PRIMITIVE_TYPE_INVALID;
  };
  bool valid = true;
  if (auto array = llvm::dyn_cast<mlir::ArrayAttr>(attribute)) {
    for (mlir::Attribute element : array) valid = add(element) && valid;
    if (valid && types.size() != pairs) {
      return op->emitOpError("has ") << types.size() << " element types for " << pairs
                                     << " pairs; one for all or one for each is needed";
    }
  } else {
    valid = add(attribute);
    if (valid) types.resize(pairs, types.front());
  }
  if (valid) return mlir::success();
  return op->emitOpError("has element_type ")
         << attribute << "; an element type that executables know, or an array of them, "
         << "is needed";
}

llvm::LogicalResult writeGroups(mlir::Operation* op, mlir::Attribute attribute,
                                GroupMode mode, wire::CollectiveConfigProto& config) {
  config.clear_replica_groups();
  const std::optional<IdLists> groups =
      attribute ? idListsOf(attribute) : std::optional<IdLists>(IdLists());
  if (!groups.has_value()) {
    return op->emitOpError("has replica_groups ")
           << attribute << "; lists of lists of i64 are needed";
  }
  if (groups->empty() && mode == GroupMode::FlattenedId) {
    return op->emitOpError(
        "has no replica_groups; with mode flattened_id they must be given");
  }
  for (const std::vector<int64_t>& group : *groups) {
    config.add_replica_groups()->mutable_replica_ids()->Assign(group.begin(),
                                                               group.end());
  }
  return mlir::success();
}

// Elements of a pair: of its source, where the two differ that is one member's part of
// an all_gather and the whole of a reduce_scatter.
llvm::LogicalResult setElementCount(mlir::Operation* op, int64_t bytes,
                                    wire::PrimitiveType type,
                                    wire::CollectiveBufferProto& buffer) {
  const absl::StatusOr<int> bits = schema::ElementBits(type);
  if (!bits.ok() || *bits % 8 != 0) {
    return op->emitOpError("has element type ")
           << schema::ElementTypeName(type) << "; whole bytes are needed";
  }
  if (bytes % (*bits / 8) != 0) {
    return op->emitOpError("has a source of ")
           << bytes << " bytes, which is no whole number of "
           << schema::ElementTypeName(type);
  }
  buffer.set_element_count(bytes / (*bits / 8));
  return mlir::success();
}

// A pair has one element type; an all_reduce also one shape.
llvm::LogicalResult checkPairShapes(mlir::Operation* op, const ShapeList& shapes,
                                    size_t pair, wire::PrimitiveType type) {
  const mlir::RankedTensorType source = shapes[2 * pair];
  const mlir::RankedTensorType destination = shapes[2 * pair + 1];
  for (const mlir::RankedTensorType shape : {source, destination}) {
    if (elementTypeOf(shape.getElementType()) == type) continue;
    return op->emitOpError("has shape ")
           << shape << " for a pair of " << schema::ElementTypeName(type)
           << "; each pair has one element type";
  }
  if (!llvm::isa<AllReduceOp>(op) || source == destination) return mlir::success();
  return op->emitOpError("has a source of shape ")
         << source << " and a destination of " << destination << "; they must be equal";
}

// What every collective has.
template <typename Op>
llvm::LogicalResult lowerPairs(
    Op op, ThunkLowering& lowering, bool fresh, wire::CollectiveConfigProto& config,
    google::protobuf::RepeatedPtrField<wire::CollectiveBufferProto>& buffers) {
  const size_t pairs = op.getSources().size();
  if (pairs == 0) return op.emitOpError("has no buffers; at least one pair is needed");
  const ShapeList shapes(op.getShapesAttr(), op.getLayoutsAttr());
  std::vector<wire::PrimitiveType> types;
  if (mlir::failed(shapes.verify(op, 2 * pairs)) ||
      mlir::failed(readElementTypes(op, op.getElementTypeAttr(), pairs, types)) ||
      mlir::failed(
          writeGroups(op, op.getReplicaGroupsAttr(), op.getGroupMode(), config))) {
    return mlir::failure();
  }
  config.clear_operand_element_type();
  for (const wire::PrimitiveType type : types) config.add_operand_element_type(type);
  config.set_group_mode(static_cast<wire::CollectiveOpGroupMode>(op.getGroupMode()));
  while (static_cast<size_t>(buffers.size()) > pairs) buffers.RemoveLast();
  while (static_cast<size_t>(buffers.size()) < pairs) buffers.Add();
  for (size_t i = 0; i < pairs; ++i) {
    if (!shapes.empty() && mlir::failed(checkPairShapes(op, shapes, i, types[i]))) {
      return mlir::failure();
    }
    wire::CollectiveBufferProto& buffer = buffers[static_cast<int>(i)];
    lowering.setShapedSlice(op.getSources()[i], shapes, 2 * i, fresh,
                            *buffer.mutable_source_buffer());
    lowering.setShapedSlice(op.getDestinations()[i], shapes, 2 * i + 1, fresh,
                            *buffer.mutable_destination_buffer());
    const int64_t bytes = resolveBuffer(op.getSources()[i]).size;
    if (fresh && mlir::failed(setElementCount(op, bytes, types[i], buffer))) {
      return mlir::failure();
    }
  }
  return mlir::success();
}

template <typename Op, typename Proto>
llvm::LogicalResult lowerPairs(Op op, ThunkLowering& lowering, bool fresh, Proto& proto) {
  return lowerPairs(op, lowering, fresh, *proto.mutable_collective_config(),
                    *proto.mutable_buffers());
}

// Ids that no group has would never take part.
llvm::LogicalResult checkInGroups(mlir::Operation* op, const IdLists& pairs,
                                  mlir::Attribute attribute) {
  const std::optional<IdLists> groups =
      attribute ? idListsOf(attribute) : std::optional<IdLists>();
  if (!groups.has_value() || groups->empty()) return mlir::success();
  std::set<int64_t> members;
  for (const std::vector<int64_t>& group : *groups) {
    members.insert(group.begin(), group.end());
  }
  for (const std::vector<int64_t>& pair : pairs) {
    for (const int64_t id : pair) {
      if (members.count(id) != 0) continue;
      return op->emitOpError("has id ")
             << id << " in source_target_pairs, which is in none of the replica_groups";
    }
  }
  return mlir::success();
}

template <typename Op, typename Proto>
void setReduction(Op op, Proto& proto) {
  proto.set_reduction_kind(static_cast<wire::ReductionKindProto>(op.getReductionKind()));
}

}  // namespace

llvm::LogicalResult AllReduceOp::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  const bool fresh = isFresh(thunk);
  setReduction(*this, *thunk.mutable_all_reduce_thunk());
  return lowerPairs(*this, lowering, fresh, *thunk.mutable_all_reduce_thunk());
}

llvm::LogicalResult AllGatherOp::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  const bool fresh = isFresh(thunk);
  wire::AllGatherThunkProto& gather = *thunk.mutable_all_gather_thunk();
  if (fresh) {
    gather.set_collectives_mode(wire::DebugOptions::COLLECTIVES_PRIVATE_MEMORY);
  }
  return lowerPairs(*this, lowering, fresh, gather);
}

llvm::LogicalResult ReduceScatterOp::lower(ThunkLowering& lowering,
                                           wire::ThunkProto& thunk) {
  const bool fresh = isFresh(thunk);
  setReduction(*this, *thunk.mutable_reduce_scatter_thunk());
  return lowerPairs(*this, lowering, fresh, *thunk.mutable_reduce_scatter_thunk());
}

llvm::LogicalResult AllToAllOp::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  const bool fresh = isFresh(thunk);
  wire::AllToAllThunkProto& exchange = *thunk.mutable_all_to_all_thunk();
  exchange.set_has_split_dimension(getHasSplitDimension());
  return lowerPairs(*this, lowering, fresh, exchange);
}

llvm::LogicalResult CollectivePermuteOp::lower(ThunkLowering& lowering,
                                               wire::ThunkProto& thunk) {
  const bool fresh = isFresh(thunk);
  wire::CollectivePermuteThunkProto& permute = *thunk.mutable_collective_permute_thunk();
  if (fresh) {
    permute.set_collectives_mode(wire::DebugOptions::COLLECTIVES_PRIVATE_MEMORY);
  }
  const std::optional<IdLists> pairs = idListsOf(getSourceTargetPairs());
  if (!pairs.has_value() ||
      llvm::any_of(*pairs, [](const auto& pair) { return pair.size() != 2; })) {
    return emitOpError("has source_target_pairs ")
           << getSourceTargetPairs() << "; a list of pairs of i64 is needed";
  }
  if (mlir::failed(checkInGroups(*this, *pairs, getReplicaGroupsAttr()))) {
    return mlir::failure();
  }
  permute.clear_source_target_pairs();
  for (const std::vector<int64_t>& pair : *pairs) {
    wire::SourceTarget& proto = *permute.add_source_target_pairs();
    proto.set_source(pair[0]);
    proto.set_target(pair[1]);
  }
  return lowerPairs(*this, lowering, fresh, permute);
}

llvm::LogicalResult CollectiveGroupOp::lower(ThunkLowering& lowering,
                                             wire::ThunkProto& thunk) {
  const bool fresh = isFresh(thunk);
  wire::CollectiveGroupThunkProto& group = *thunk.mutable_collective_group_thunk();
  if (fresh) group.set_thunk_kind(wire::THUNK_KIND_GROUP);
  group.clear_thunks();
  return lowering.lowerRegion(getBody(), *group.mutable_thunks());
}

// Views, collectives, and payloads that are collectives.
llvm::LogicalResult CollectiveGroupOp::verifyRegions() {
  for (mlir::Operation& op : getBody().front()) {
    if (llvm::isa<SliceBufferOp, YieldOp, AllReduceOp, AllGatherOp, ReduceScatterOp,
                  AllToAllOp, CollectivePermuteOp>(op)) {
      continue;
    }
    if (auto payload = llvm::dyn_cast<CallThunkProtoOp>(op)) {
      wire::ThunkProto thunk;
      if (!parseBytes(payload.getThunkProto(), thunk).ok()) continue;  // its own error
      if (schema::MayBeGrouped(thunk)) continue;
    }
    mlir::InFlightDiagnostic diagnostic = emitOpError("holds ");
    diagnostic << op.getName()
               << "; only slice_buffer, all_reduce, all_gather, reduce_scatter, "
                  "all_to_all, collective_permute and payloads that are collectives, "
                  "send or recv are allowed in a group";
    diagnostic.attachNote(op.getLoc()) << "here";
    return diagnostic;
  }
  return mlir::success();
}

}  // namespace thunky::compiler
