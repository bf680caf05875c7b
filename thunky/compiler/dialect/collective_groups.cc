#include "thunky/compiler/dialect/collective_groups.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace thunky::compiler {
namespace {

std::optional<std::vector<int64_t>> idsOf(mlir::Attribute attribute) {
  if (auto dense = llvm::dyn_cast<mlir::DenseI64ArrayAttr>(attribute)) {
    return std::vector<int64_t>(dense.asArrayRef().begin(), dense.asArrayRef().end());
  }
  auto array = llvm::dyn_cast<mlir::ArrayAttr>(attribute);
  if (!array) return std::nullopt;
  std::vector<int64_t> ids;
  for (mlir::Attribute element : array) {
    auto id = llvm::dyn_cast<mlir::IntegerAttr>(element);
    if (!id || !id.getType().isSignlessInteger(64)) return std::nullopt;
    ids.push_back(id.getInt());
  }
  return ids;
}

}  // namespace

std::optional<IdLists> idListsOf(mlir::Attribute attribute) {
  IdLists lists;
  if (auto dense = llvm::dyn_cast<mlir::DenseIntElementsAttr>(attribute)) {
    if (dense.getType().getRank() != 2 || !dense.getElementType().isSignlessInteger(64)) {
      return std::nullopt;
    }
    const int64_t width = dense.getType().getDimSize(1);
    auto value = dense.value_begin<llvm::APInt>();
    for (int64_t i = 0; i < dense.getType().getDimSize(0); ++i) {
      std::vector<int64_t>& list = lists.emplace_back();
      for (int64_t j = 0; j < width; ++j) list.push_back((*value++).getSExtValue());
    }
    return lists;
  }
  auto array = llvm::dyn_cast<mlir::ArrayAttr>(attribute);
  if (!array) return std::nullopt;
  for (mlir::Attribute element : array) {
    std::optional<std::vector<int64_t>> list = idsOf(element);
    if (!list.has_value()) return std::nullopt;
    lists.push_back(*std::move(list));
  }
  return lists;
}

mlir::ArrayAttr idListsAttribute(mlir::MLIRContext* context, const IdLists& lists) {
  mlir::Builder builder(context);
  llvm::SmallVector<mlir::Attribute> groups;
  for (const std::vector<int64_t>& list : lists) {
    groups.push_back(builder.getI64ArrayAttr(list));
  }
  return builder.getArrayAttr(groups);
}

}  // namespace thunky::compiler
