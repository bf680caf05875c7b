// Expected: what is passed to a kernel by value must be trivially copyable
#include "thunky/frontend/operations.h"

void launch(const thunky::KernelCode& code, const std::string& x) {
  thunky::ptx_kernel(code, "f", {x});  // here
}
