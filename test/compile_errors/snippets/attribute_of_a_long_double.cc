// Expected: an attribute is a bool, an integer
#include "thunky/frontend/attributes.h"

const thunky::Attributes kValues = {{"pi", 3.14L}};  // here
