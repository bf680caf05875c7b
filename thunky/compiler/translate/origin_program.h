// What an imported program has beside its operations, put back.
#ifndef THUNKY_COMPILER_TRANSLATE_ORIGIN_PROGRAM_H_
#define THUNKY_COMPILER_TRANSLATE_ORIGIN_PROGRAM_H_

#include "mlir/IR/BuiltinOps.h"
#include "proto/executable.pb.h"
#include "proto/module_origin.pb.h"
#include "thunky/compiler/translate/program_parts.h"

namespace thunky::compiler {

// The attribute thunky.origin. Fails with a diagnostic when its bytes are missing or
// no message.
mlir::FailureOr<wire::ModuleOriginProto> readOrigin(mlir::ModuleOp module);

// Fills everything but the thunks of `executable` from the origin, with the allocations
// numbered as ProgramParts says and those that nothing uses after them. Arguments that
// the origin does not know must be scratch; the others must be as the origin describes
// them. Fails with a diagnostic that names the argument.
llvm::LogicalResult restoreOrigin(const wire::ModuleOriginProto& origin,
                                  const ProgramParts& parts,
                                  wire::GpuExecutableProto& executable);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_ORIGIN_PROGRAM_H_
