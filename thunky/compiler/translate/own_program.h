// What an executable says around the thunks of a program that was never imported.
#ifndef THUNKY_COMPILER_TRANSLATE_OWN_PROGRAM_H_
#define THUNKY_COMPILER_TRANSLATE_OWN_PROGRAM_H_

#include "proto/executable.pb.h"
#include "thunky/compiler/translate/program_parts.h"

namespace thunky::compiler {

// Fills everything but the thunks of `executable`: allocations, program shape, output
// map, constants and the order of arguments. An argument that is marked as parameter,
// result or scratch is that. Of the others, those that the program overwrites before it
// may read them are results, those that it writes otherwise parameters that a result
// takes over, and the rest parameters. Numbers follow the order of the arguments unless
// all have some. Fails with a diagnostic that names the argument.
llvm::LogicalResult describeProgram(const ProgramParts& parts,
                                    wire::GpuExecutableProto& executable);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_OWN_PROGRAM_H_
