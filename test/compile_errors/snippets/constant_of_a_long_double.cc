// Expected: no element type has values of this C++ type
#include "thunky/frontend/operations.h"

void store() {
  (void)thunky::constant(1.0L);  // here
}
