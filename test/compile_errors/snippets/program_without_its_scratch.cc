// Expected: the function must take one Ref for each argument and each scratch type
#include "thunky/frontend/program.h"

void trace() {
  (void)thunky::jit([](thunky::Ref) {}, {thunky::f32(4)}, thunky::f32(4));  // here
}
