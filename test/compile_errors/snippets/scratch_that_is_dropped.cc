// Expected: unused-result
#include "thunky/frontend/operations.h"

void allocate() {
  thunky::empty_ref(thunky::f32(4));  // here
}
