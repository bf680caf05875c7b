// A program's summary as text and as JSON.
#ifndef THUNKY_TOOLING_COMMANDS_INSPECT_REPORT_H_
#define THUNKY_TOOLING_COMMANDS_INSPECT_REPORT_H_

#include <string>

#include "thunky/tooling/program_summary.h"

namespace thunky::tooling {

std::string SummaryAsText(const ProgramSummary& summary);
std::string SummaryAsJson(const std::string& file, const ProgramSummary& summary);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_INSPECT_REPORT_H_
