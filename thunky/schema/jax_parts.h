// The parts of a file of JAX's around the executable.
#ifndef THUNKY_SCHEMA_JAX_PARTS_H_
#define THUNKY_SCHEMA_JAX_PARTS_H_

#include "absl/status/status.h"
#include "proto/options.pb.h"
#include "proto/shape.pb.h"
#include "thunky/container/executable_file.h"

namespace thunky::schema {

// The compile options of a program for one device.
wire::ExecutableAndOptionsProto JaxOptionsFor(const wire::ShapeProto& result);

// Gives an executable that JAX compiled, and that was kept without its metadata or its
// compile options, what is missing; what is there stays. Everything is taken from the
// executable, so it has to have what jaxlib asks of one (docs/design/jax-files.md).
// InvalidArgument names the first thing it lacks, Unimplemented a program for several
// devices or shapes that JAX cannot pass.
absl::Status AddPartsForJax(ExecutableFile* file);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_JAX_PARTS_H_
