// Expected: no element type has values of this C++ type
#include "thunky/frontend/operand.h"

const thunky::HostArray kValues = thunky::host(std::vector<int*>());  // here
