// The HLO module that jaxlib wants to see beside the thunks.
#ifndef THUNKY_SCHEMA_JAX_HLO_H_
#define THUNKY_SCHEMA_JAX_HLO_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "proto/executable.pb.h"
#include "proto/hlo.pb.h"
#include "thunky/schema/jax_constants.h"

namespace thunky::schema {

// An opaque stand-in for a program that was never HLO: an entry computation with the
// parameters of the program shape, the constants as literals of bytes, and one custom
// call of all of them as its root; the aliases of the output map; and the configuration
// for one device. jaxlib takes from it what it tells callers (shapes, layouts, donated
// parameters) and the content of constants, and runs none of it.
// Takes module_name, program_shape (with layouts) and output_info_map of the
// executable.
wire::HloModuleProtoWithConfig StandInModule(const wire::GpuExecutableProto& executable,
                                             absl::Span<const StandInConstant> constants);

// Adds literals of bytes to a module that XLA wrote: a computation that nothing calls,
// and its place in the schedule. Requires names that no instruction of the module has.
// InvalidArgument when the ids of the module's computations leave no room.
absl::Status AddConstants(absl::Span<const StandInConstant> constants,
                          wire::HloModuleProto* module);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_JAX_HLO_H_
