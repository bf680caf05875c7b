// Expected: a program returns nothing: results are written to refs
#include "thunky/frontend/program.h"

void trace() {
  (void)thunky::jit([](thunky::Ref x) { return x; }, {thunky::f32(4)});  // here
}
