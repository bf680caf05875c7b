// Makes what JAX loads out of a program that was written from scratch.
#ifndef THUNKY_SCHEMA_JAX_PROGRAM_H_
#define THUNKY_SCHEMA_JAX_PROGRAM_H_

#include "absl/status/statusor.h"
#include "proto/executable.pb.h"
#include "thunky/container/executable_file.h"
#include "thunky/schema/jax_target.h"

namespace thunky::schema {

// The complete file for one device of that kind. The program says: module_name,
// program_shape (one array, or a tuple of arrays, as the result), buffer_allocations,
// output_info_map, constants with their content, and thunks whose kernels carry their
// code. Added here:
//
// - layouts that the program shape leaves out: row-major;
// - the allocation of the result tuple's table and its entry in the output map, and the
//   allocation flags that follow from the output map;
// - the HLO module that stands in for the program (jax_hlo.h); the content of constants
//   moves there (jax_constants.h);
// - a buffer assignment that repeats the allocations and a line that sums them up, the
//   compute capability and the ABI version;
// - compile options and metadata.
//
// docs/design/jax-files.md says what jaxlib does with each. InvalidArgument when the
// program breaks the rules of executable_rules.h or has parts that are to be added, an
// empty name or code in the code table, or when two results, or a result and something
// else but an aliased parameter, share memory; Unimplemented for shapes that JAX cannot
// pass.
absl::StatusOr<ExecutableFile> CompleteForJax(const wire::GpuExecutableProto& program,
                                              const JaxTarget& target);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_JAX_PROGRAM_H_
