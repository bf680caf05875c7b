// Hazards as JSON.
#ifndef THUNKY_COMPILER_LIBRARY_HAZARD_JSON_H_
#define THUNKY_COMPILER_LIBRARY_HAZARD_JSON_H_

#include <string>

#include "thunky/compiler/analysis/hazards.h"

namespace thunky::compiler {

// {"errors": N, "warnings": N, "hazards": [...]}, as docs/cli.md describes it for
// `check`. Text that is no UTF-8 is repaired.
std::string hazardsAsJson(const HazardReport& report);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_LIBRARY_HAZARD_JSON_H_
