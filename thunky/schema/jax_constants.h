// Constants in the form in which jaxlib loads them.
#ifndef THUNKY_SCHEMA_JAX_CONSTANTS_H_
#define THUNKY_SCHEMA_JAX_CONSTANTS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/executable.pb.h"

namespace thunky::schema {

// A constant as an instruction of an HLO module.
struct StandInConstant {
  std::string instruction;  // its name; letters, digits and '_'
  std::string bytes;
};

// jaxlib looks every constant up twice: its bytes among the HLO module's `constant`
// instructions (inline content is not looked at), its address among the globals of the
// module in `binary`. So this moves the content out of the executable into what it
// returns, in the order of the constants and padded to their allocations; renames the
// symbols so that they fit the instructions, and PTX; and sets `binary` to PTX that
// declares them, if there are any.
// InvalidArgument, beginning with "constant 'name'": what ConstantsOf refuses, names that
// become equal, or a constant too large for the file.
absl::StatusOr<std::vector<StandInConstant>> MoveConstants(
    wire::GpuExecutableProto* executable);

// The same for a program that JAX compiled and somebody edited, which has an HLO module
// of its own. Constants whose content is what that module says stay as they are, and
// where this holds for all, so does everything else. The others go into a computation
// that is added to the module, under their own symbol names where these fit, while
// instructions of these names get other ones; and `binary` becomes PTX that declares
// every symbol.
// InvalidArgument as above, and with the path of a thunk whose code is in `binary`.
absl::Status ReplaceConstants(wire::GpuExecutableProto* executable);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_JAX_CONSTANTS_H_
