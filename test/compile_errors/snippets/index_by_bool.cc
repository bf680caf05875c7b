// Expected: a bool is no index
#include "thunky/frontend/ref.h"

void row(thunky::Ref x) {
  (void)x[true];  // here
}
