// The bytes of constants.
#ifndef THUNKY_COMPILER_DIALECT_CONSTANT_VALUE_H_
#define THUNKY_COMPILER_DIALECT_CONSTANT_VALUE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "mlir/IR/Attributes.h"
#include "mlir/IR/MLIRContext.h"

namespace thunky::compiler {

// Bytes that a constant's value takes; nothing for values that are no constant's.
std::optional<int64_t> constantSize(mlir::Attribute value);

// The bytes; nothing where constantSize has none, or for a resource whose content is
// missing.
std::optional<std::string> constantBytes(mlir::Attribute value);

// A value with these bytes: written out where they are few, a resource called `name`
// where they are many.
mlir::Attribute constantValue(mlir::MLIRContext* context, const std::string& name,
                              std::string bytes);

// A resource of bytes, which takes them over.
mlir::Attribute bytesResource(mlir::MLIRContext* context, const std::string& name,
                              std::string&& bytes);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_CONSTANT_VALUE_H_
