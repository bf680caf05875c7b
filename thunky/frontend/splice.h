// Merging one program into another that is being traced. Not public.
#ifndef THUNKY_FRONTEND_SPLICE_H_
#define THUNKY_FRONTEND_SPLICE_H_

#include <string>
#include <vector>

#include "thunky/api/error.h"
#include "thunky/frontend/operand.h"
#include "thunky/frontend/program.h"
#include "thunky/frontend/trace.h"

namespace thunky::frontend {

// "program 'step' (app.cc:4)"
std::string describe(const Program& program);
// "argument 2 'x' (f32[4]) of program 'step' (app.cc:4)"
std::string describe_argument(const Program& program, size_t number);

// The ref that an operand is: itself, or a constant of the trace. Throws when the type is
// not the argument's, and for host data where the program writes.
Ref bind_argument(Trace& trace, const Program& program, size_t number,
                  const Operand& operand, const SourceLocation& where);

}  // namespace thunky::frontend

#endif  // THUNKY_FRONTEND_SPLICE_H_
