// Allocations of an imported program that it no longer needs.
#ifndef THUNKY_COMPILER_TRANSLATE_ORIGIN_ALLOCATIONS_H_
#define THUNKY_COMPILER_TRANSLATE_ORIGIN_ALLOCATIONS_H_

#include <cstdint>
#include <set>

#include "mlir/IR/BuiltinOps.h"
#include "proto/module_origin.pb.h"

namespace thunky::compiler {

// Makes these allocations of the origin empty. They stay in the list, where numbers
// count, but nobody allocates anything for them, and no value lies in them.
void emptyAllocations(wire::ModuleOriginProto& origin, const std::set<int64_t>& numbers);

// The module's origin, replaced.
void writeOrigin(mlir::ModuleOp module, const wire::ModuleOriginProto& origin);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_ORIGIN_ALLOCATIONS_H_
