// Replica groups and pairs of devices as attributes.
#ifndef THUNKY_COMPILER_DIALECT_COLLECTIVE_GROUPS_H_
#define THUNKY_COMPILER_DIALECT_COLLECTIVE_GROUPS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "mlir/IR/BuiltinAttributes.h"

namespace thunky::compiler {

using IdLists = std::vector<std::vector<int64_t>>;

// Lists of lists of ids: an array of arrays of integers, an array of array<i64>, or
// dense elements of rank 2. Nothing for other attributes.
std::optional<IdLists> idListsOf(mlir::Attribute attribute);

// An array of arrays of i64.
mlir::ArrayAttr idListsAttribute(mlir::MLIRContext* context, const IdLists& lists);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_COLLECTIVE_GROUPS_H_
