#include "thunky/tooling/commands/inspect_report.h"

#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "thunky/tooling/console.h"
#include "thunky/tooling/json_text.h"

namespace thunky::tooling {
namespace {

using nlohmann::ordered_json;

std::string AliasName(schema::AliasKind alias) {
  switch (alias) {
    case schema::AliasKind::kNone:
      return "";
    case schema::AliasKind::kMay:
      return "may";
    case schema::AliasKind::kMust:
      return "must";
  }
  return "";
}

template <typename Items>
uint64_t TotalSize(const Items& items) {
  uint64_t total = 0;
  for (const auto& item : items) total += static_cast<uint64_t>(item.size);
  return total;
}

uint64_t ResultBytes(const schema::Signature& signature) {
  uint64_t total = 0;
  for (size_t i = 0; i < signature.results.size(); ++i) {
    const schema::SignatureResult& result = signature.results[i];
    const bool own = !result.aliased_parameter.has_value() &&
                     !result.constant.has_value() &&
                     result.first_in_allocation == static_cast<int>(i);
    if (own) total += static_cast<uint64_t>(result.size);
  }
  return total;
}

// Bytes of kernel code; a text that several entries share counts once.
uint64_t CodeBytes(const ProgramSummary& summary) {
  std::set<std::string_view> codes;
  for (const ProgramKernel& kernel : summary.kernels) {
    for (const CodeForm& form : kernel.forms) codes.insert(form.bytes);
  }
  uint64_t total = 0;
  for (const std::string_view code : codes) total += code.size();
  return total;
}

std::string ParameterLine(const schema::Signature& signature, size_t position) {
  const schema::SignatureParameter& parameter = signature.parameters[position];
  std::string line =
      absl::StrFormat("  in%-4d %-22s %10d bytes  parameter %d", position,
                      parameter.type.ToString(), parameter.size, parameter.number);
  if (!parameter.shape_index.empty()) {
    absl::StrAppend(&line, " ", schema::ToString(parameter.shape_index));
  }
  if (!parameter.name.empty())
    absl::StrAppend(&line, " '", Printable(parameter.name), "'");
  absl::StrAppend(&line, ", allocation ", parameter.allocation);
  for (int result : parameter.aliased_results) {
    absl::StrAppend(&line, ", ", AliasName(parameter.alias), " become out", result);
  }
  return line + "\n";
}

std::string ResultLine(const schema::Signature& signature, size_t position) {
  const schema::SignatureResult& result = signature.results[position];
  std::string line =
      absl::StrFormat("  out%-3d %-22s %10d bytes  allocation %d", position,
                      result.type.ToString(), result.size, result.allocation);
  if (result.aliased_parameter.has_value()) {
    absl::StrAppend(&line, ", in the memory of in", *result.aliased_parameter);
  }
  if (result.passthrough) absl::StrAppend(&line, ", passed through");
  if (result.constant.has_value()) {
    absl::StrAppend(
        &line, ", constant '",
        Printable(signature.constants[static_cast<size_t>(*result.constant)].name), "'");
  }
  return line + "\n";
}

std::string SignatureText(const ProgramSummary& summary) {
  if (!summary.signature.ok()) {
    return absl::StrCat("arguments: not known: ",
                        Printable(std::string(summary.signature.status().message())),
                        "\n");
  }
  const schema::Signature& signature = *summary.signature;
  std::string text = absl::StrCat("arguments: ", signature.parameters.size(), " in, ",
                                  signature.results.size(), " out\n");
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    text += ParameterLine(signature, i);
  }
  for (size_t i = 0; i < signature.results.size(); ++i) text += ResultLine(signature, i);
  return text;
}

std::string MemoryText(const ProgramSummary& summary) {
  std::string text = "memory\n";
  auto line = [&](const char* what, uint64_t bytes, const std::string& more = "") {
    absl::StrAppendFormat(&text, "  %-12s %12d bytes%s\n", what, bytes, more);
  };
  if (summary.signature.ok()) {
    const schema::Signature& signature = *summary.signature;
    line("parameters", TotalSize(signature.parameters));
    line("results", ResultBytes(signature));
    line("scratch", TotalSize(signature.temporaries),
         absl::StrCat(" in ", signature.temporaries.size(), " buffers"));
    line("constants", TotalSize(signature.constants),
         absl::StrCat(" in ", signature.constants.size(), " buffers"));
  }
  line("kernel code", CodeBytes(summary));
  return text;
}

// "reads 0, 3; writes 2": allocation numbers.
std::string AccessText(const std::vector<schema::Access>& accesses) {
  std::set<int64_t> reads, writes;
  for (const schema::Access& access : accesses) {
    (schema::Writes(access.mode) ? writes : reads).insert(access.slice.allocation);
  }
  std::string text;
  if (!reads.empty()) absl::StrAppend(&text, "reads ", absl::StrJoin(reads, ", "));
  if (!writes.empty()) {
    absl::StrAppend(&text, reads.empty() ? "" : "; ", "writes ",
                    absl::StrJoin(writes, ", "));
  }
  return text;
}

std::string ThunksText(const ProgramSummary& summary) {
  std::string text = absl::StrCat("thunks: ", summary.thunks.size(), "\n");
  for (const ThunkSummary& thunk : summary.thunks) {
    absl::StrAppend(&text, std::string(2 + 2 * static_cast<size_t>(thunk.depth), ' '),
                    thunk.path, "  ", thunk.kind);
    if (!thunk.detail.empty()) absl::StrAppend(&text, "  ", Printable(thunk.detail));
    const std::string accesses = AccessText(thunk.accesses);
    if (!accesses.empty()) {
      absl::StrAppend(&text, "  [", accesses, thunk.local_allocations ? " (local)" : "",
                      "]");
    }
    if (!thunk.location.empty())
      absl::StrAppend(&text, "  @ ", Printable(thunk.location));
    text += "\n";
  }
  return text;
}

std::string KernelsText(const ProgramSummary& summary) {
  std::string text = absl::StrCat("kernels: ", summary.kernels.size(), "\n");
  for (const ProgramKernel& kernel : summary.kernels) {
    absl::StrAppend(&text, "  ", Printable(kernel.entry), "  ",
                    Printable(kernel.DescribeCode()));
    if (kernel.place == CodePlace::kInProcess) {
      absl::StrAppend(&text, " '", Printable(kernel.symbol), "'");
    } else {
      absl::StrAppend(&text, ", ", kernel.code_bytes(), " bytes");
    }
    absl::StrAppend(&text, "  ", kernel.launches[0].DescribeShape());
    if (kernel.launches.size() > 1) {
      absl::StrAppend(&text, "; launched by ", kernel.launches.size(), " thunks");
    }
    text += "\n";
  }
  return text;
}

std::string GroupsText(const std::vector<std::vector<int64_t>>& groups) {
  if (groups.empty()) return "one group of all";
  return absl::StrCat("groups ",
                      absl::StrJoin(groups, " ", [](std::string* out, const auto& group) {
                        absl::StrAppend(out, "{", absl::StrJoin(group, ","), "}");
                      }));
}

std::string StreamsAndCollectivesText(const ProgramSummary& summary) {
  std::string text = "streams: main";
  for (const std::string& stream : summary.streams) absl::StrAppend(&text, ", ", stream);
  absl::StrAppend(&text, "\ncollectives: ", summary.collectives.size(), "\n");
  for (const CollectiveSummary& collective : summary.collectives) {
    absl::StrAppend(&text, "  ", collective.path, "  ", collective.kind, " ",
                    collective.reduction, collective.reduction.empty() ? "" : " ",
                    GroupsText(collective.replica_groups), " (", collective.group_mode,
                    ")\n");
  }
  return text;
}

ordered_json SignatureJson(const schema::Signature& signature) {
  ordered_json json = {{"parameters", ordered_json::array()},
                       {"results", ordered_json::array()},
                       {"temporaries", ordered_json::array()},
                       {"constants", ordered_json::array()}};
  for (const schema::SignatureParameter& parameter : signature.parameters) {
    json["parameters"].push_back({{"number", parameter.number},
                                  {"shape_index", parameter.shape_index},
                                  {"name", parameter.name},
                                  {"type", parameter.type.ToString()},
                                  {"bytes", parameter.size},
                                  {"allocation", parameter.allocation},
                                  {"aliased_results", parameter.aliased_results},
                                  {"alias", AliasName(parameter.alias)}});
  }
  for (const schema::SignatureResult& result : signature.results) {
    ordered_json entry = {{"shape_index", result.shape_index},
                          {"type", result.type.ToString()},
                          {"bytes", result.size},
                          {"allocation", result.allocation},
                          {"alias", AliasName(result.alias)},
                          {"passthrough", result.passthrough}};
    if (result.aliased_parameter) entry["aliased_parameter"] = *result.aliased_parameter;
    if (result.constant) entry["constant"] = *result.constant;
    json["results"].push_back(std::move(entry));
  }
  for (const schema::SignatureTemporary& temporary : signature.temporaries) {
    json["temporaries"].push_back(
        {{"allocation", temporary.allocation}, {"bytes", temporary.size}});
  }
  for (const schema::SignatureConstant& constant : signature.constants) {
    json["constants"].push_back({{"name", constant.name},
                                 {"allocation", constant.allocation},
                                 {"bytes", constant.size}});
  }
  return json;
}

ordered_json ThunkJson(const ThunkSummary& thunk) {
  ordered_json json = {{"path", thunk.path},
                       {"depth", thunk.depth},
                       {"kind", thunk.kind},
                       {"detail", thunk.detail},
                       {"location", thunk.location},
                       {"accesses", ordered_json::array()},
                       {"local_allocations", thunk.local_allocations}};
  for (const schema::Access& access : thunk.accesses) {
    json["accesses"].push_back({{"role", access.role},
                                {"mode", schema::AccessModeName(access.mode)},
                                {"allocation", access.slice.allocation},
                                {"offset", access.slice.offset},
                                {"bytes", access.slice.size}});
  }
  return json;
}

ordered_json KernelJson(const ProgramKernel& kernel) {
  ordered_json json = {{"entry", kernel.entry},
                       {"code", kernel.DescribeCode()},
                       {"code_bytes", kernel.code_bytes()},
                       {"launches", ordered_json::array()}};
  for (size_t i = 0; i < kernel.launches.size(); ++i) {
    const KernelLaunch& launch = kernel.launches[i];
    ordered_json entry = {{"path", kernel.paths[i]},
                          {"grid", launch.grid},
                          {"block", launch.block},
                          {"shared_bytes", launch.shared_bytes}};
    if (launch.cluster) entry["cluster"] = *launch.cluster;
    json["launches"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

std::string SummaryAsText(const ProgramSummary& summary) {
  std::string text =
      absl::StrCat("program: ", Printable(summary.name), "\nfile: ", summary.kind, ", ",
                   summary.sizes.file, " bytes, ", summary.sizes.decoded, " decoded\n",
                   "written by: ", Printable(summary.release), "\n");
  if (summary.replicas.has_value()) {
    absl::StrAppend(&text, "compiled for: replicas ", *summary.replicas, ", partitions ",
                    *summary.partitions, "\n");
  }
  absl::StrAppend(&text, "verification: ",
                  summary.verified.ok()
                      ? "passed"
                      : Printable(std::string(summary.verified.message()), true),
                  "\n", SignatureText(summary), MemoryText(summary), ThunksText(summary),
                  KernelsText(summary), StreamsAndCollectivesText(summary));
  return text;
}

std::string SummaryAsJson(const std::string& file, const ProgramSummary& summary) {
  ordered_json json;
  json["schema"] = kJsonSchema;
  json["file"] = file;
  json["program"] = summary.name;
  json["kind"] = summary.kind;
  json["written_by"] = summary.release;
  json["file_bytes"] = summary.sizes.file;
  json["decoded_bytes"] = summary.sizes.decoded;
  if (summary.replicas) json["replicas"] = *summary.replicas;
  if (summary.partitions) json["partitions"] = *summary.partitions;
  json["verified"] = summary.verified.ok();
  if (!summary.verified.ok()) {
    json["verification_error"] = std::string(summary.verified.message());
  }
  if (summary.signature.ok()) {
    json["signature"] = SignatureJson(*summary.signature);
    json["memory"] = {{"parameters", TotalSize(summary.signature->parameters)},
                      {"results", ResultBytes(*summary.signature)},
                      {"scratch", TotalSize(summary.signature->temporaries)},
                      {"constants", TotalSize(summary.signature->constants)},
                      {"kernel_code", CodeBytes(summary)}};
  }
  json["thunks"] = ordered_json::array();
  for (const ThunkSummary& thunk : summary.thunks)
    json["thunks"].push_back(ThunkJson(thunk));
  json["kernels"] = ordered_json::array();
  for (const ProgramKernel& kernel : summary.kernels) {
    json["kernels"].push_back(KernelJson(kernel));
  }
  json["streams"] = summary.streams;
  json["collectives"] = ordered_json::array();
  for (const CollectiveSummary& collective : summary.collectives) {
    json["collectives"].push_back({{"path", collective.path},
                                   {"kind", collective.kind},
                                   {"reduction", collective.reduction},
                                   {"group_mode", collective.group_mode},
                                   {"replica_groups", collective.replica_groups}});
  }
  return JsonText(json);
}

}  // namespace thunky::tooling
