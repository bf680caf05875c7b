// The thunky dialect: types, attributes, operations and their interface.
//
// Code below thunky/compiler follows MLIR's naming: functions and methods begin with
// a small letter.
#ifndef THUNKY_COMPILER_DIALECT_THUNKY_DIALECT_H_
#define THUNKY_COMPILER_DIALECT_THUNKY_DIALECT_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "proto/thunk.pb.h"
#include "thunky/compiler/dialect/accesses.h"
#include "thunky/compiler/dialect/kernel_code_cache.h"
#include "thunky/compiler/dialect/lowering.h"
#include "thunky/compiler/dialect/thunky_dialect.h.inc"
#include "thunky/compiler/dialect/thunky_enums.h.inc"
#include "thunky/compiler/dialect/thunky_interfaces.h.inc"

#define GET_TYPEDEF_CLASSES
#include "thunky/compiler/dialect/thunky_types.h.inc"

#define GET_ATTRDEF_CLASSES
#include "thunky/compiler/dialect/thunky_attrs.h.inc"

#define GET_OP_CLASSES
#include "thunky/compiler/dialect/thunky_ops.h.inc"

#endif  // THUNKY_COMPILER_DIALECT_THUNKY_DIALECT_H_
