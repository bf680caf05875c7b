// Collectives that have an operation.
#include "thunky/compiler/dialect/collective_groups.h"
#include "thunky/compiler/dialect/shapes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/thunk_importer.h"

namespace thunky::compiler {
namespace {

using Imported = mlir::FailureOr<mlir::Operation*>;

// What every collective has, as operands and attributes.
struct Pairs {
  mlir::Attribute elementType;
  mlir::Attribute groups;
  GroupModeAttr mode;
  ShapeAttributes shapes;
  llvm::SmallVector<mlir::Value> sources;
  llvm::SmallVector<mlir::Value> destinations;
};

// One type where all pairs have the same.
mlir::Attribute elementTypeAttribute(mlir::OpBuilder& builder,
                                     const wire::CollectiveConfigProto& config) {
  llvm::SmallVector<mlir::Type> types;
  for (const int number : config.operand_element_type()) {
    const mlir::Type type =
        elementTypeOf(builder.getContext(), static_cast<wire::PrimitiveType>(number));
    if (!type) return nullptr;
    types.push_back(type);
  }
  if (types.empty()) return nullptr;
  if (llvm::all_equal(types)) return mlir::TypeAttr::get(types.front());
  return builder.getTypeArrayAttr(types);
}

template <typename Proto>
mlir::FailureOr<Pairs> pairsOf(ThunkImporter& importer, const Proto& proto) {
  mlir::OpBuilder& builder = importer.builder();
  const wire::CollectiveConfigProto& config = proto.collective_config();
  Pairs pairs;
  pairs.elementType = elementTypeAttribute(builder, config);
  if (!pairs.elementType) {
    return importer.emitError() << "has an operand_element_type that this build does "
                                   "not know";
  }
  if (!wire::CollectiveOpGroupMode_IsValid(config.group_mode())) {
    return importer.emitError()
           << "has group_mode " << static_cast<int>(config.group_mode())
           << "; cross_replica, cross_partition, cross_replica_and_partition and "
              "flattened_id (0 to 3) are known";
  }
  pairs.mode = GroupModeAttr::get(builder.getContext(),
                                  static_cast<GroupMode>(config.group_mode()));
  if (!config.replica_groups().empty()) {
    IdLists lists;
    for (const wire::ReplicaGroup& group : config.replica_groups()) {
      lists.emplace_back(group.replica_ids().begin(), group.replica_ids().end());
    }
    pairs.groups = idListsAttribute(builder.getContext(), lists);
  }
  llvm::SmallVector<const wire::ShapedSliceProto*> slices;
  for (const wire::CollectiveBufferProto& buffer : proto.buffers()) {
    pairs.sources.push_back(importer.buffer(buffer.source_buffer()));
    pairs.destinations.push_back(importer.buffer(buffer.destination_buffer()));
    slices.push_back(&buffer.source_buffer());
    slices.push_back(&buffer.destination_buffer());
  }
  pairs.shapes = importer.shapesOf(slices);
  return pairs;
}

template <typename Op, typename... Attributes>
mlir::Operation* create(ThunkImporter& importer, const Pairs& pairs,
                        Attributes... attributes) {
  return Op::create(importer.builder(), importer.location(), attributes...,
                    pairs.elementType, pairs.groups, pairs.mode, pairs.shapes.shapes,
                    pairs.shapes.layouts, pairs.sources, pairs.destinations);
}

mlir::FailureOr<ReductionAttr> reductionOf(ThunkImporter& importer,
                                           wire::ReductionKindProto kind) {
  const std::optional<Reduction> reduction =
      symbolizeReduction(static_cast<uint32_t>(kind));
  if (!reduction.has_value()) {
    return importer.emitError() << "has reduction_kind " << static_cast<int>(kind)
                                << "; sum, product, min and max (1 to 4) are known";
  }
  return ReductionAttr::get(importer.builder().getContext(), *reduction);
}

template <typename Op, typename Proto>
Imported importReducing(ThunkImporter& importer, const Proto& proto) {
  const mlir::FailureOr<Pairs> pairs = pairsOf(importer, proto);
  if (mlir::failed(pairs)) return mlir::failure();
  const mlir::FailureOr<ReductionAttr> kind =
      reductionOf(importer, proto.reduction_kind());
  if (mlir::failed(kind)) return mlir::failure();
  return create<Op>(importer, *pairs, *kind);
}

Imported importAllReduce(ThunkImporter& importer, wire::ThunkProto& thunk) {
  return importReducing<AllReduceOp>(importer, thunk.all_reduce_thunk());
}

Imported importReduceScatter(ThunkImporter& importer, wire::ThunkProto& thunk) {
  return importReducing<ReduceScatterOp>(importer, thunk.reduce_scatter_thunk());
}

Imported importAllGather(ThunkImporter& importer, wire::ThunkProto& thunk) {
  const mlir::FailureOr<Pairs> pairs = pairsOf(importer, thunk.all_gather_thunk());
  if (mlir::failed(pairs)) return mlir::failure();
  return create<AllGatherOp>(importer, *pairs);
}

Imported importAllToAll(ThunkImporter& importer, wire::ThunkProto& thunk) {
  const wire::AllToAllThunkProto& proto = thunk.all_to_all_thunk();
  const mlir::FailureOr<Pairs> pairs = pairsOf(importer, proto);
  if (mlir::failed(pairs)) return mlir::failure();
  return create<AllToAllOp>(importer, *pairs,
                            importer.builder().getBoolAttr(proto.has_split_dimension()));
}

Imported importPermute(ThunkImporter& importer, wire::ThunkProto& thunk) {
  const wire::CollectivePermuteThunkProto& proto = thunk.collective_permute_thunk();
  const mlir::FailureOr<Pairs> pairs = pairsOf(importer, proto);
  if (mlir::failed(pairs)) return mlir::failure();
  IdLists lists;
  for (const wire::SourceTarget& pair : proto.source_target_pairs()) {
    lists.push_back({pair.source(), pair.target()});
  }
  const mlir::Attribute attribute =
      idListsAttribute(importer.builder().getContext(), lists);
  return create<CollectivePermuteOp>(importer, *pairs, attribute);
}

constexpr KindImport kImports[] = {
    {schema::ThunkKind::kAllReduce, importAllReduce},
    {schema::ThunkKind::kAllGather, importAllGather},
    {schema::ThunkKind::kReduceScatter, importReduceScatter},
    {schema::ThunkKind::kAllToAll, importAllToAll},
    {schema::ThunkKind::kCollectivePermute, importPermute},
};

}  // namespace

absl::Span<const KindImport> collectiveImports() { return kImports; }

}  // namespace thunky::compiler
