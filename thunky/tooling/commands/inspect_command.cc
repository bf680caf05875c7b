#include "thunky/tooling/commands/inspect_command.h"

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/commands/inspect_report.h"
#include "thunky/tooling/program_file.h"
#include "thunky/tooling/program_summary.h"

namespace thunky::tooling {
namespace {

absl::Status CheckFormat(const InspectCommandOptions& options) {
  if (options.format == "html" || options.format == "dot") {
    return absl::UnimplementedError(absl::StrCat(
        "--format: ", options.format, " is not in this build; expected text or json"));
  }
  if (options.format != "text" && options.format != "json") {
    return absl::InvalidArgumentError(
        absl::StrCat("--format: expected text or json, found '", options.format, "'"));
  }
  return absl::OkStatus();
}

}  // namespace

CLI::App* AddInspectCommand(CLI::App& app, InspectCommandOptions& options) {
  CLI::App* inspect = app.add_subcommand("inspect",
                                         "Show what is in a program: arguments, thunks, "
                                         "kernels, memory, streams, collectives");
  inspect->footer("Example:\n  thunky inspect executable.bin --json | jq .kernels");
  inspect
      ->add_option("FILE", options.file,
                   "A serialized JAX executable, a bare proto or a module (.mlir)")
      ->required();
  inspect->add_option("--format", options.format, "text or json")->capture_default_str();
  inspect->add_flag("--json", options.json, "The same as --format json");
  inspect
      ->add_option("--max-decoded-mib", options.max_decoded_mib,
                   "Memory that FILE may decode to, in MiB")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  return inspect;
}

ExitCode InspectProgram(const InspectCommandOptions& options, Console& console) {
  absl::Status status = CheckFormat(options);
  if (!status.ok()) return console.Fail(ExitCode::kCouldNotStart, status);
  ReadNotes notes;
  absl::StatusOr<ExecutableFile> file =
      ReadProgram(options.file, {options.max_decoded_mib << 20}, &notes);
  if (!file.ok()) return console.Fail(ExitCode::kCouldNotStart, file.status());
  console.Notes(notes.warnings);
  absl::StatusOr<ProgramSummary> summary = Summarise(*file);
  if (!summary.ok()) {
    return console.Fail(ExitCode::kCouldNotStart,
                        Annotate(summary.status(), options.file));
  }
  if (IsMlir(notes.kind)) summary->kind = std::string(ContentKindName(notes.kind));
  const bool json = options.json || options.format == "json";
  console.out() << (json ? SummaryAsJson(options.file, *summary)
                         : SummaryAsText(*summary));
  if (summary->verified.ok()) return ExitCode::kDone;
  return console.Fail(ExitCode::kCouldNotStart,
                      Annotate(summary->verified, options.file));
}

}  // namespace thunky::tooling
