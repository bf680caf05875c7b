// Expected: a kernel gets buffers and values, no pointers of this process
#include "thunky/frontend/operations.h"

void launch(const thunky::KernelCode& code, float* x) {
  thunky::ptx_kernel(code, "f", {x});  // here
}
