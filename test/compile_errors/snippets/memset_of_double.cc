// Expected: memset stores a scalar of 32 bits: 1.0f rather than 1.0
#include "thunky/frontend/operations.h"

void fill(thunky::Ref x) {
  thunky::memset(x, 1.0);  // here
}
