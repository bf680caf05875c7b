// Expected: memset stores a scalar of 32 bits
#include "thunky/frontend/operations.h"

void fill(thunky::Ref x) {
  thunky::memset(x, int64_t{1});  // here
}
