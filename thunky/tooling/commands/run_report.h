// What `thunky run` and `thunky launch` say when they are done.
#ifndef THUNKY_TOOLING_COMMANDS_RUN_REPORT_H_
#define THUNKY_TOOLING_COMMANDS_RUN_REPORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "thunky/runtime/loaded_executable.h"
#include "thunky/tooling/commands/execution_options.h"
#include "thunky/tooling/compare.h"
#include "thunky/tooling/console.h"
#include "thunky/tooling/named_arrays.h"

namespace thunky::tooling {

struct RunReport {
  std::string file;
  std::string subject;  // "program" or "kernel": what `name` names
  std::string name;
  std::string device;
  std::string device_description;
  std::vector<double> seconds;  // of each run
  runtime::GraphStatistics graph;
  std::vector<NamedArray> outputs;
  bool checked = false;
  // One for each output when checked: the worst of all runs.
  std::vector<Comparison> comparisons;
};

// Replaces `kept` by `other` where that is further off.
void KeepWorse(Comparison& kept, Comparison other);

// Saves the results and prints the report, as the options say.
ExitCode FinishReport(const RunReport& report, const ExecutionOptions& options,
                      Console& console);

std::string ReportAsText(const RunReport& report);
std::string ReportAsJson(const RunReport& report);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_RUN_REPORT_H_
