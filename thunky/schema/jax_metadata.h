// The first part of a file of JAX's: what its Python side has to know about a program.
#ifndef THUNKY_SCHEMA_JAX_METADATA_H_
#define THUNKY_SCHEMA_JAX_METADATA_H_

#include "absl/status/statusor.h"
#include "proto/executable.pb.h"
#include "proto/ifrt.pb.h"
#include "thunky/schema/jax_target.h"
#include "thunky/schema/signature.h"

namespace thunky::schema {

// `signature` is the executable's, whose program shape has layouts. Results and
// parameters must be arrays, the result one array or a tuple of arrays; element types
// without a counterpart in JAX are Unimplemented. Errors begin with "parameter i" or
// "output {i}".
absl::StatusOr<wire::ifrt::SerializedXlaExecutableMetadata> JaxMetadataOf(
    const wire::GpuExecutableProto& executable, const Signature& signature,
    const JaxTarget& target);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_JAX_METADATA_H_
