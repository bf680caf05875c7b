// Attributes of custom calls.
#ifndef THUNKY_COMPILER_DIALECT_BACKEND_CONFIG_H_
#define THUNKY_COMPILER_DIALECT_BACKEND_CONFIG_H_

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "proto/attributes.pb.h"

namespace thunky::compiler {

// The dictionary as XLA's attributes. Fails with a diagnostic of `op` that names the
// key for a value of another kind than custom_call's description lists.
llvm::LogicalResult writeBackendConfig(mlir::Operation* op, mlir::DictionaryAttr config,
                                       wire::AttributesMapProto& attributes);

// The dictionary that says the attributes. Null when it cannot: a value without a
// kind, a number that does not fit its type, an empty key.
mlir::DictionaryAttr readBackendConfig(mlir::MLIRContext* context,
                                       const wire::AttributesMapProto& attributes);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_BACKEND_CONFIG_H_
