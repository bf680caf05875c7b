// Expected: the function must take one Ref for each argument and each scratch type
#include "thunky/frontend/program.h"

void trace() {
  (void)thunky::jit([](float x) { (void)x; }, {thunky::f32});  // here
}
