// Everything: writing programs, running them. Needs libthunky.so; who only runs programs
// includes thunky/run.h.
//
//   #include <thunky/thunky.h>
//   using namespace thunky;
//
//   const KernelCode code = KernelCode::ptx_file("saxpy.ptx");
//   const Program program = jit([&](Ref x, Ref y) {
//     ptx_kernel(code, "saxpy", {read(x), read_write(y), 2.5f, 1024},
//                {.grid = 4, .block = 256});
//   }, {f32(1024), f32(1024)});
//   program.compile(Device::host()).run({x, y});
//
// docs/tutorial.md begins here.
#ifndef THUNKY_THUNKY_H_
#define THUNKY_THUNKY_H_

// The order is that of what builds on what; each header also stands alone.
#include "thunky/frontend/attributes.h"
#include "thunky/frontend/collectives.h"
#include "thunky/frontend/kernel_code.h"
#include "thunky/frontend/operand.h"
#include "thunky/frontend/operations.h"
#include "thunky/frontend/program.h"
#include "thunky/frontend/ref.h"
#include "thunky/run.h"

#endif  // THUNKY_THUNKY_H_
