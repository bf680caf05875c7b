// Expected: an index is an integer, slice(), all or ellipsis
#include "thunky/frontend/ref.h"

void row(thunky::Ref x) {
  (void)x["row"];  // here
}
