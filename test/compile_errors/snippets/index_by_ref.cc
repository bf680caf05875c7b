// Expected: what a ref holds is known only when the program runs
#include "thunky/frontend/ref.h"

void row(thunky::Ref x, thunky::Ref i) {
  (void)x[i];  // here
}
