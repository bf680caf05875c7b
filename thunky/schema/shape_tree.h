// Walks through shapes of nested tuples.
#ifndef THUNKY_SCHEMA_SHAPE_TREE_H_
#define THUNKY_SCHEMA_SHAPE_TREE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "proto/shape.pb.h"
#include "thunky/schema/signature.h"

namespace thunky::schema {

inline constexpr int kMaxTupleDepth = 64;
inline constexpr int kMaxLeaves = 100000;

struct ShapeLeaf {
  ShapeIndex index;
  const wire::ShapeProto* shape = nullptr;  // in the shape it was made from
};

// The element at `index`, or null when there is none.
const wire::ShapeProto* SubShape(const wire::ShapeProto& shape, const ShapeIndex& index);

// Everything that is no tuple, in order. Tuples nested deeper than kMaxTupleDepth,
// or more than kMaxLeaves leaves, are an error.
absl::StatusOr<std::vector<ShapeLeaf>> LeavesOf(const wire::ShapeProto& shape);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_SHAPE_TREE_H_
