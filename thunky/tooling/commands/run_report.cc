#include "thunky/tooling/commands/run_report.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "thunky/tooling/console.h"
#include "thunky/tooling/json_text.h"

namespace thunky::tooling {
namespace {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : (values[middle - 1] + values[middle]) / 2;
}

std::string DescribeTimes(const std::vector<double>& seconds) {
  constexpr double kMilli = 1e3;
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  if (seconds.size() == 1) return absl::StrFormat("1, %.3g ms", *least * kMilli);
  return absl::StrFormat("%d, median %.3g ms (%.3g to %.3g)", seconds.size(),
                         Median(seconds) * kMilli, *least * kMilli, *most * kMilli);
}

// Whether no comparison failed.
bool Holds(const RunReport& report) {
  return std::all_of(report.comparisons.begin(), report.comparisons.end(),
                     [](const Comparison& comparison) { return comparison.holds; });
}

// The name of the first output whose comparison failed.
std::string FirstMismatch(const RunReport& report) {
  for (size_t i = 0; i < report.comparisons.size(); ++i) {
    if (!report.comparisons[i].holds) return report.outputs[i].spec.name;
  }
  return "";
}

}  // namespace

void KeepWorse(Comparison& kept, Comparison other) {
  const bool worse = kept.holds != other.holds
                         ? kept.holds
                         : other.largest_difference > kept.largest_difference;
  if (worse) kept = std::move(other);
}

ExitCode FinishReport(const RunReport& report, const ExecutionOptions& options,
                      Console& console) {
  if (!options.output.empty()) {
    absl::Status status = SaveArrays(options.output, report.outputs);
    if (!status.ok()) return console.Fail(ExitCode::kFailed, status);
  }
  console.Progress("");
  console.out() << (options.json ? ReportAsJson(report) : ReportAsText(report));
  if (Holds(report)) return ExitCode::kDone;
  return console.Fail(ExitCode::kFailed,
                      absl::FailedPreconditionError(absl::StrCat(
                          report.file, ": ", FirstMismatch(report), ": expected ",
                          options.check, " within the tolerance, found other values")));
}

std::string ReportAsText(const RunReport& report) {
  std::string text = absl::StrCat(
      "device: ", report.device, " (", report.device_description, ")\n", report.subject,
      ": ", Printable(report.name), "\n", "runs: ", DescribeTimes(report.seconds), "\n");
  if (report.graph.graph_runs != 0) {
    absl::StrAppend(&text, "graph: ", report.graph.graph_runs, " runs, ",
                    report.graph.graphs_made, " graphs made, ",
                    report.graph.graphs_updated, " updates\n");
  }
  if (!report.graph.reason.empty()) {
    absl::StrAppend(&text, "no graph: ", report.graph.reason, "\n");
  }
  for (size_t i = 0; i < report.outputs.size(); ++i) {
    absl::StrAppend(&text, report.outputs[i].spec.ToString(), ": ",
                    report.checked ? DescribeComparison(report.comparisons[i])
                                   : PreviewArray(report.outputs[i]),
                    "\n");
  }
  if (report.checked) {
    absl::StrAppend(&text, "check: ", Holds(report) ? "holds" : "does not hold", "\n");
  }
  return text;
}

std::string ReportAsJson(const RunReport& report) {
  nlohmann::ordered_json json;
  json["schema"] = kJsonSchema;
  json["file"] = report.file;
  json[report.subject] = report.name;
  json["device"] = {{"name", report.device}, {"description", report.device_description}};
  json["seconds"] = report.seconds;
  json["graph"] = {{"runs", report.graph.graph_runs},
                   {"stepwise_runs", report.graph.stepwise_runs},
                   {"made", report.graph.graphs_made},
                   {"updates", report.graph.graphs_updated},
                   {"nodes_updated", report.graph.nodes_updated}};
  if (!report.graph.reason.empty()) json["graph"]["reason"] = report.graph.reason;
  json["outputs"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < report.outputs.size(); ++i) {
    const ArraySpec& spec = report.outputs[i].spec;
    nlohmann::ordered_json output = {
        {"name", spec.name}, {"type", spec.element->name}, {"shape", spec.shape}};
    if (report.checked) output["check"] = ComparisonAsJson(report.comparisons[i]);
    json["outputs"].push_back(std::move(output));
  }
  if (report.checked) json["holds"] = Holds(report);
  return JsonText(json);
}

}  // namespace thunky::tooling
