// Expected: an attribute is a bool, an integer, a float, a double, a string, a
// std::vector of numbers, or Attributes
#include "thunky/frontend/attributes.h"

const thunky::Attributes kValues = {{"names", std::vector<std::string>()}};  // here
