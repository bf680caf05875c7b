// Programs become executables. Not public.
#ifndef THUNKY_FRONTEND_LOWERING_H_
#define THUNKY_FRONTEND_LOWERING_H_

#include <string>

#include "thunky/frontend/program.h"

namespace thunky::frontend {

// The file that thunky's executors take; they need not be able to run what is in it.
std::string lower_to_bytes(const Program& program, const CompileOptions& options,
                           const SourceLocation& where);

// The file that an unmodified JAX loads. Checks and assigns scratch as Program::lower
// does.
std::string lower_for_jax(const Program& program, const SaveOptions& options,
                          const SourceLocation& where);

}  // namespace thunky::frontend

#endif  // THUNKY_FRONTEND_LOWERING_H_
