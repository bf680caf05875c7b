#include "thunky/tooling/commands/diff_command.h"

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/json_text.h"
#include "thunky/tooling/program_diff.h"
#include "thunky/tooling/program_file.h"

namespace thunky::tooling {
namespace {

using nlohmann::ordered_json;

absl::StatusOr<ExecutableFile> Read(const std::string& path,
                                    const DiffCommandOptions& options, Console& console) {
  ReadNotes notes;
  auto file = ReadProgram(path, {options.max_decoded_mib << 20}, &notes);
  console.Notes(notes.warnings);
  return file;
}

absl::StatusOr<ProgramDiff> Diff(const DiffCommandOptions& options, Console& console) {
  ASSIGN_OR_RETURN(const ExecutableFile a, Read(options.a, options, console));
  ASSIGN_OR_RETURN(const ExecutableFile b, Read(options.b, options, console));
  return DiffPrograms(a, b);
}

const char* ChangeName(Change change) {
  switch (change) {
    case Change::kChanged:
      return "changed";
    case Change::kOnlyInA:
      return "removed";
    case Change::kOnlyInB:
      return "inserted";
  }
  return "changed";
}

std::string LineOf(const ProgramDifference& difference) {
  const std::string thunk =
      difference.thunk.empty() ? "" : absl::StrCat("  ", difference.thunk);
  switch (difference.change) {
    case Change::kOnlyInA:
      return absl::StrCat("- ", difference.where_a, thunk);
    case Change::kOnlyInB:
      return absl::StrCat("+ ", difference.where_b, thunk);
    case Change::kChanged:
      break;
  }
  const std::string now = difference.where_a == difference.where_b
                              ? ""
                              : absl::StrCat(" (now ", difference.where_b, ")");
  return absl::StrCat("~ ", difference.where_a, now, thunk, "  ", difference.field, ": ",
                      difference.a, " -> ", difference.b);
}

std::string DiffAsText(const ProgramDiff& diff) {
  if (diff.total == 0) return "no differences\n";
  std::string text;
  for (const ProgramDifference& difference : diff.differences) {
    absl::StrAppend(&text, Printable(LineOf(difference)), "\n");
  }
  if (diff.total > diff.differences.size()) {
    absl::StrAppend(&text, "and ", diff.total - diff.differences.size(), " more\n");
  }
  absl::StrAppend(&text, diff.total,
                  diff.total == 1 ? " difference\n" : " differences\n");
  return text;
}

ordered_json DifferenceJson(const ProgramDifference& difference) {
  ordered_json json = {{"change", ChangeName(difference.change)}};
  if (difference.change != Change::kOnlyInB) json["where_a"] = difference.where_a;
  if (difference.change != Change::kOnlyInA) json["where_b"] = difference.where_b;
  if (!difference.thunk.empty()) json["thunk"] = difference.thunk;
  if (difference.change == Change::kChanged) {
    json["field"] = difference.field;
    json["a"] = difference.a;
    json["b"] = difference.b;
  }
  return json;
}

std::string DiffAsJson(const DiffCommandOptions& options, const ProgramDiff& diff) {
  ordered_json json = {{"schema", kJsonSchema}, {"a", options.a},
                       {"b", options.b},        {"equal", diff.total == 0},
                       {"total", diff.total},   {"differences", ordered_json::array()}};
  for (const ProgramDifference& difference : diff.differences) {
    json["differences"].push_back(DifferenceJson(difference));
  }
  return JsonText(json);
}

}  // namespace

CLI::App* AddDiffCommand(CLI::App& app, DiffCommandOptions& options) {
  CLI::App* diff = app.add_subcommand(
      "diff", "Show what differs between two programs; exit code 1 when something does");
  diff->footer("Example:\n  thunky diff before/executable.bin after/executable.bin");
  diff->add_option("A", options.a,
                   "A serialized JAX executable, a bare proto or a module (.mlir)")
      ->required();
  diff->add_option("B", options.b, "Another one")->required();
  diff->add_flag("--json", options.json, "Print the answer as JSON");
  diff->add_option("--max-decoded-mib", options.max_decoded_mib,
                   "Memory that each may decode to, in MiB")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  return diff;
}

ExitCode ShowDifferences(const DiffCommandOptions& options, Console& console) {
  const absl::StatusOr<ProgramDiff> diff = Diff(options, console);
  if (!diff.ok()) return console.Fail(ExitCode::kCouldNotStart, diff.status());
  console.out() << (options.json ? DiffAsJson(options, *diff) : DiffAsText(*diff));
  return diff->total == 0 ? ExitCode::kDone : ExitCode::kFailed;
}

}  // namespace thunky::tooling
