// Expected: unused-result
#include "thunky/frontend/operations.h"

void start() {
  thunky::async_start([] {});  // here
}
