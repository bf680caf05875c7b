// Accesses of kernels that the flags of an executable say by themselves.
#ifndef THUNKY_COMPILER_TRANSLATE_ACCESS_MODES_H_
#define THUNKY_COMPILER_TRANSLATE_ACCESS_MODES_H_

#include "proto/kernel_thunks.pb.h"

namespace thunky::compiler {

// Clears `thunky_access` where the flags in `written` and the slices mean the same.
void dropImpliedAccess(wire::CustomKernelThunkProto& launch);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_ACCESS_MODES_H_
