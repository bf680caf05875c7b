// Expected: say what the kernel does with the buffer: read(x), write(x)
#include "thunky/frontend/operations.h"

void launch(const thunky::KernelCode& code, thunky::Ref x) {
  thunky::ptx_kernel(code, "f", {x});  // here
}
