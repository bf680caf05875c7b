// Expected: a region returns nothing: results are written to refs
#include "thunky/frontend/operations.h"

void branch(thunky::Ref flag, thunky::Ref x) {
  thunky::cond(flag, [&] { return x; }, [] {});  // here
}
