// The interpreter as a kernel loader: PTX in, kernels that run on the calling thread
// out. It needs no compiler, checks every memory access, and is the reference that
// other engines are compared with.
#ifndef THUNKY_INTERP_LOADER_H_
#define THUNKY_INTERP_LOADER_H_

#include <memory>

#include "thunky/hal/kernel.h"

namespace thunky::interp {

// Its name is "interp". Kernels loaded from the same PTX text while one of them lives
// share the module: it is parsed once, and its variables exist once. `.target` plays
// no role.
std::unique_ptr<hal::KernelLoader> MakeInterpreterLoader();

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_LOADER_H_
