// Expected: an attribute is a bool, an integer
#include "thunky/frontend/attributes.h"

struct Point {
  int x;
};
const thunky::Attributes kValues = {{"point", Point{1}}};  // here
