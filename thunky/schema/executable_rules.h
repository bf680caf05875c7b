// Whether an executable is well formed as a whole.
#ifndef THUNKY_SCHEMA_EXECUTABLE_RULES_H_
#define THUNKY_SCHEMA_EXECUTABLE_RULES_H_

#include "absl/status/status.h"
#include "proto/executable.pb.h"

namespace thunky::schema {

// Allocations, signature, constants and every thunk. OK means: slices lie in
// their allocations and every other rule of kinds.h, signature.h and constants.h
// holds. Errors begin with the place: "allocation 4", "output {1}",
// "constant 'buffer_for_x'", "thunks[3].while.body[2]". A thunk of an unknown kind
// is Unimplemented, anything else InvalidArgument.
absl::Status VerifyExecutable(const wire::GpuExecutableProto& executable);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_EXECUTABLE_RULES_H_
