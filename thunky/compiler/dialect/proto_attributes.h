// Messages in attributes: as text where that says everything, else as bytes.
#ifndef THUNKY_COMPILER_DIALECT_PROTO_ATTRIBUTES_H_
#define THUNKY_COMPILER_DIALECT_PROTO_ATTRIBUTES_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"
#include "proto/thunk.pb.h"

namespace thunky::compiler {

// The message in one line of protobuf's text form, when parsing that gives the same
// message again: no unknown fields, no NaN with a payload.
std::optional<std::string> textOf(const google::protobuf::Message& message);

// Serialized with map entries in the order of their keys: equal messages, equal bytes.
std::string bytesOf(const google::protobuf::Message& message);

// Both check depth and the memory that the message will take before parsing it.
absl::Status parseText(llvm::StringRef text, google::protobuf::Message& message);
absl::Status parseBytes(llvm::StringRef bytes, google::protobuf::Message& message);

// Names of the attributes that any thunk may have.
inline constexpr llvm::StringLiteral kAnnotation = "thunky.annotation";
inline constexpr llvm::StringLiteral kRegion = "thunky.region";
inline constexpr llvm::StringLiteral kResidual = "thunky.residual";
inline constexpr llvm::StringLiteral kResidualBytes = "thunky.residual_bytes";

// Puts the residual of `op` into `thunk`, which is empty; it stays empty without one.
// Fails with a diagnostic.
llvm::LogicalResult readResidual(mlir::Operation* op, wire::ThunkProto& thunk);
void writeResidual(mlir::Operation* op, const wire::ThunkProto& thunk);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_PROTO_ATTRIBUTES_H_
