#include "thunky/tooling/commands/kernels_report.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/tooling/console.h"
#include "thunky/tooling/json_text.h"

namespace thunky::tooling {
namespace {

using nlohmann::ordered_json;

// A kernel that cannot run at all may have thousands of reasons.
constexpr size_t kShownDiagnostics = 20;

std::string Times(const std::array<uint32_t, 3>& dims) {
  return absl::StrCat(dims[0], "x", dims[1], "x", dims[2]);
}

std::string InterfaceText(const KernelAnalysis& analysis) {
  const ptx::KernelInterface& interface = analysis.interface;
  std::string text = absl::StrCat("  parameters: ", interface.parameters.size());
  if (!interface.parameters.empty()) {
    absl::StrAppend(&text, " (",
                    absl::StrJoin(interface.parameters, ", ",
                                  [](std::string* out, const auto& parameter) {
                                    absl::StrAppend(out, parameter.type);
                                  }),
                    "), ", interface.parameter_bytes, " bytes");
  }
  absl::StrAppend(&text, "\n  shared memory: ", interface.static_shared_bytes,
                  " bytes\n");
  if (interface.bounds.reqntid) {
    absl::StrAppend(&text, "  block: exactly ", Times(*interface.bounds.reqntid), "\n");
  }
  if (interface.bounds.maxntid) {
    absl::StrAppend(&text, "  block: at most ", Times(*interface.bounds.maxntid), "\n");
  }
  return text;
}

std::string CubinText(const ListedCubin& cubin) {
  if (!cubin.problem.empty()) {
    return absl::StrCat("  cubin: ", Printable(cubin.problem), "\n");
  }
  std::string text = absl::StrCat("  cubin: target ", cubin.architecture);
  if (cubin.parameter_bytes) {
    absl::StrAppend(&text, ", parameters: ", cubin.parameter_bytes->size());
  }
  return text + "\n";
}

std::string SupportText(const ListedKernel& kernel) {
  if (kernel.why_not.empty()) return "  host: supported\n";
  std::string text =
      absl::StrCat("  host: not supported: ", Printable(kernel.why_not), "\n");
  if (!kernel.analysis) return text;
  const std::vector<ptx::Diagnostic>& diagnostics = kernel.analysis->diagnostics;
  for (size_t i = 0; i < std::min(diagnostics.size(), kShownDiagnostics); ++i) {
    absl::StrAppend(&text, "    line ", diagnostics[i].location.line, ": ",
                    Printable(diagnostics[i].message), "\n");
  }
  if (diagnostics.size() > kShownDiagnostics) {
    absl::StrAppend(&text, "    and ", diagnostics.size() - kShownDiagnostics, " more\n");
  }
  return text;
}

std::string KernelText(const ListedKernel& kernel) {
  std::string text = absl::StrCat(Printable(kernel.entry), "\n  code: ", kernel.code);
  if (kernel.code_bytes > 0) absl::StrAppend(&text, ", ", kernel.code_bytes, " bytes");
  if (!kernel.origin.empty()) {
    absl::StrAppend(&text, "; PTX attached from ", Printable(kernel.origin));
  }
  text += "\n";
  for (const ListedCubin& cubin : kernel.cubins) text += CubinText(cubin);
  if (!kernel.version.empty()) {
    absl::StrAppend(&text, "  PTX: version ", kernel.version, ", target ",
                    Printable(kernel.target), "\n");
  }
  if (kernel.analysis) text += InterfaceText(*kernel.analysis);
  if (!kernel.launches.empty()) {
    absl::StrAppend(&text, "  launches: ", kernel.launches.size(), ", first with ",
                    kernel.launches[0].DescribeShape(), "\n");
  }
  return text + SupportText(kernel);
}

ordered_json KernelJson(const ListedKernel& kernel) {
  ordered_json json = {
      {"entry", kernel.entry}, {"code", kernel.code}, {"code_bytes", kernel.code_bytes}};
  if (!kernel.origin.empty()) json["ptx_file"] = kernel.origin;
  for (const ListedCubin& cubin : kernel.cubins) {
    ordered_json entry = {{"bytes", cubin.bytes}};
    if (!cubin.architecture.empty()) entry["architecture"] = cubin.architecture;
    if (cubin.parameter_bytes) entry["parameter_bytes"] = *cubin.parameter_bytes;
    if (!cubin.problem.empty()) entry["problem"] = cubin.problem;
    json["cubins"].push_back(std::move(entry));
  }
  if (!kernel.version.empty()) json["ptx_version"] = kernel.version;
  if (!kernel.version.empty()) json["target"] = kernel.target;
  if (kernel.analysis) {
    const ptx::KernelInterface& interface = kernel.analysis->interface;
    json["parameters"] = ordered_json::array();
    for (const ptx::KernelParameter& parameter : interface.parameters) {
      json["parameters"].push_back({{"name", parameter.name},
                                    {"type", parameter.type},
                                    {"bytes", parameter.size},
                                    {"alignment", parameter.alignment}});
    }
    json["static_shared_bytes"] = interface.static_shared_bytes;
    json["dynamic_shared"] = interface.declares_dynamic_shared;
    if (interface.bounds.reqntid) json["required_block"] = *interface.bounds.reqntid;
    if (interface.bounds.maxntid) json["maximum_block"] = *interface.bounds.maxntid;
  }
  json["launches"] = ordered_json::array();
  for (const KernelLaunch& launch : kernel.launches) {
    json["launches"].push_back({{"grid", launch.grid},
                                {"block", launch.block},
                                {"shared_bytes", launch.shared_bytes}});
  }
  json["supported"] = kernel.why_not.empty();
  if (kernel.why_not.empty()) return json;
  json["why_not"] = kernel.why_not;
  json["diagnostics"] = ordered_json::array();
  if (!kernel.analysis) return json;
  for (const ptx::Diagnostic& diagnostic : kernel.analysis->diagnostics) {
    json["diagnostics"].push_back({{"line", diagnostic.location.line},
                                   {"unsupported", diagnostic.unsupported},
                                   {"spelling", diagnostic.spelling},
                                   {"message", diagnostic.message}});
  }
  return json;
}

}  // namespace

std::string KernelsAsText(const KernelsReport& report) {
  std::string text;
  for (const ListedKernel& kernel : report.kernels) text += KernelText(kernel);
  if (report.kernels.empty()) text += "no kernels\n";
  for (const std::string& path : report.extracted) {
    absl::StrAppend(&text, "wrote ", Printable(path), "\n");
  }
  return text;
}

std::string KernelsAsJson(const KernelsReport& report) {
  ordered_json json = {{"schema", kJsonSchema},
                       {"file", report.file},
                       {"kernels", ordered_json::array()},
                       {"extracted", report.extracted}};
  for (const ListedKernel& kernel : report.kernels) {
    json["kernels"].push_back(KernelJson(kernel));
  }
  return JsonText(json);
}

}  // namespace thunky::tooling
