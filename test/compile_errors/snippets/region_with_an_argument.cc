// Expected: a region is a function of no argument
#include "thunky/frontend/operations.h"

void loop(thunky::Ref flag) {
  thunky::while_loop(flag, [] {}, [](int i) { (void)i; });  // here
}
