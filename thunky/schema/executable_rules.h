// Whether an executable is well formed as a whole.
#ifndef THUNKY_SCHEMA_EXECUTABLE_RULES_H_
#define THUNKY_SCHEMA_EXECUTABLE_RULES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "proto/executable.pb.h"
#include "thunky/schema/allocations.h"
#include "thunky/schema/kinds.h"

namespace thunky::schema {

// Allocations, signature, constants, the code table and every thunk. OK means: slices
// lie in their allocations and every other rule of kinds.h, signature.h, constants.h
// and code_table.h holds. Errors begin with the place: "allocation 4", "output {1}",
// "constant 'buffer_for_x'", "kernel_code[2]", "thunks[3].while.body[2]". A thunk of an
// unknown kind is Unimplemented, unless it is allowed: then it is taken to write whatever
// others need written. Anything else is InvalidArgument.
absl::Status VerifyExecutable(const wire::GpuExecutableProto& executable,
                              UnknownKinds unknown = UnknownKinds::kRefuse);

// One thunk by itself, whose slices count in `allocations`, inside `enclosing_loops`
// `while` thunks: the rules of its kind, not those of the thunks it holds. Errors have
// no path.
absl::Status VerifyThunk(const wire::ThunkProto& thunk, const AllocationList& allocations,
                         int64_t enclosing_loops);
// A list of thunks and what they hold, the same way; not that asynchronous work at the
// top of the list is joined.
absl::Status VerifyThunks(const ThunkList& thunks, const AllocationList& allocations,
                          int64_t enclosing_loops,
                          UnknownKinds unknown = UnknownKinds::kRefuse);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_EXECUTABLE_RULES_H_
