// From the syntax tree of a module to the typed form of one entry.
#ifndef THUNKY_PTX_LOWER_H_
#define THUNKY_PTX_LOWER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"

namespace thunky::ptx {

// What stands in the way of lowering: an instruction this build does not know,
// an operand of a wrong type, an undeclared name.
struct Diagnostic {
  SourceLocation location;
  std::string message;      // "unknown instruction 'foo.bar.b32'"
  bool unsupported = false; // an instruction or form that is not supported (else: invalid PTX)
  std::string spelling;     // of the instruction, for unsupported ones
};

// Lowers entry `entry` and all functions it can reach. Errors:
//   NotFound         no such entry (the message lists the module's entries)
//   Unimplemented    instructions that are not supported: all of them, each as
//                    "line L: 'spelling'" (the first on the first line)
//   InvalidArgument  PTX that the ISA does not allow, with "line L: "
absl::StatusOr<ir::Program> LowerEntry(const ast::Module& module,
                                       std::string_view entry);

// The diagnostics LowerEntry would report, all of them, in source order; empty
// when the entry lowers. NotFound as above.
absl::StatusOr<std::vector<Diagnostic>> CheckEntry(const ast::Module& module,
                                                   std::string_view entry);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_LOWER_H_
