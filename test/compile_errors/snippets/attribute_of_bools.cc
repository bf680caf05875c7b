// Expected: an attribute is a bool, an integer
#include "thunky/frontend/attributes.h"

const thunky::Attributes kValues = {{"flags", std::vector<bool>()}};  // here
