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
  std::string message;  // "unknown instruction 'foo.bar.b32'"
  // Something that is not supported, an instruction or a form of it; otherwise PTX that
  // is not valid.
  bool unsupported = false;
  std::string spelling;  // of the instruction, for unsupported ones
};

// Lowers entry `entry` and all functions it can reach. Errors:
//   NotFound         no such entry (the message lists the module's entries)
//   InvalidArgument  PTX that the ISA does not allow: what is wrong, one to a line, as
//                    "line L: 'spelling': text"
//   Unimplemented    the same for instructions that are not supported, when nothing is
//                    invalid
// Invalid is also what exceeds the limits of program_builder.h: bytes of .global and
// .const (256 MiB), .local (16 MiB a thread) and .param variables (1 MiB a call).
// A message shows the first 100 of them and counts the rest. The functions of a
// program come in the order in which they are first reached.
absl::StatusOr<ir::Program> LowerEntry(const ast::Module& module, std::string_view entry);

// The diagnostics LowerEntry would report, all of them, in source order; empty
// when the entry lowers. NotFound as above.
absl::StatusOr<std::vector<Diagnostic>> CheckEntry(const ast::Module& module,
                                                   std::string_view entry);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_LOWER_H_
