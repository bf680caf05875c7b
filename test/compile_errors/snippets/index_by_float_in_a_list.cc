// Expected: a floating-point number is no index
#include "thunky/frontend/ref.h"

void row(thunky::Ref x) {
  (void)x[{1.5f, thunky::all}];  // here
}
