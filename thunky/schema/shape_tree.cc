#include "thunky/schema/shape_tree.h"

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::schema {
namespace {

absl::Status AddLeaves(const wire::ShapeProto& shape, ShapeIndex& index,
                       std::vector<ShapeLeaf>& leaves) {
  if (shape.element_type() != wire::TUPLE) {
    if (leaves.size() >= kMaxLeaves) {
      return absl::InvalidArgumentError(
          absl::StrCat("program shape: a result of more than ", kMaxLeaves, " arrays"));
    }
    leaves.push_back({index, &shape});
    return absl::OkStatus();
  }
  if (index.size() >= kMaxTupleDepth) {
    return absl::InvalidArgumentError(absl::StrCat(
        "program shape: tuples nested deeper than ", kMaxTupleDepth, " levels"));
  }
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    index.push_back(i);
    RETURN_IF_ERROR(AddLeaves(shape.tuple_shapes(i), index, leaves));
    index.pop_back();
  }
  return absl::OkStatus();
}

}  // namespace

const wire::ShapeProto* SubShape(const wire::ShapeProto& shape, const ShapeIndex& index) {
  const wire::ShapeProto* at = &shape;
  for (const int64_t element : index) {
    if (at->element_type() != wire::TUPLE || element < 0 ||
        element >= at->tuple_shapes_size()) {
      return nullptr;
    }
    at = &at->tuple_shapes(static_cast<int>(element));
  }
  return at;
}

absl::StatusOr<std::vector<ShapeLeaf>> LeavesOf(const wire::ShapeProto& shape) {
  std::vector<ShapeLeaf> leaves;
  ShapeIndex index;
  RETURN_IF_ERROR(AddLeaves(shape, index, leaves));
  return leaves;
}

}  // namespace thunky::schema
