#include "thunky/tooling/commands/check_command.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/compiler_library.h"
#include "thunky/tooling/json_text.h"
#include "thunky/tooling/program_file.h"

namespace thunky::tooling {
namespace {

using nlohmann::ordered_json;

bool HasText(const ordered_json& object, const char* field) {
  return object.contains(field) && object[field].is_string();
}

// Whether the answer has what is printed of it, in the right types.
bool IsAnswer(const ordered_json& answer) {
  if (!answer.is_object()) return false;
  for (const char* count : {"errors", "warnings"}) {
    if (!answer.contains(count) || !answer[count].is_number_integer()) return false;
  }
  if (!answer.contains("hazards") || !answer["hazards"].is_array()) return false;
  for (const ordered_json& hazard : answer["hazards"]) {
    if (!hazard.is_object() || !HasText(hazard, "severity") ||
        !HasText(hazard, "message")) {
      return false;
    }
  }
  return true;
}

// The library's answer, {"errors": N, "warnings": N, "hazards": [...]}.
absl::StatusOr<ordered_json> Check(const CheckCommandOptions& options, Console& console) {
  ASSIGN_OR_RETURN(const FileContent content, ReadContent(options.file));
  if (content.kind == ContentKind::kPtx) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.file, ": expected a program (an executable or a module), found PTX"));
  }
  ASSIGN_OR_RETURN(const std::vector<NamedText> kernels,
                   ReadKernelTexts(options.kernels));
  ASSIGN_OR_RETURN(const CompilerLibrary compiler, CompilerLibrary::Load());
  const std::string folder = std::filesystem::path(options.file).parent_path().string();
  ASSIGN_OR_RETURN(const CompilerOutput output,
                   compiler.Check(options.file, content.text(),
                                  {.executable = !IsMlir(content.kind),
                                   .base_folder = folder,
                                   .max_decoded_bytes = options.max_decoded_mib << 20,
                                   .kernels = kernels}));
  console.Notes(output.warnings);
  ordered_json answer = ordered_json::parse(output.bytes, nullptr, false);
  if (IsAnswer(answer)) return answer;
  return absl::InternalError(absl::StrCat(
      compiler.path(), ": the answer of the check is not what this program expects"));
}

// "FILE:12:3: error: race: ..."; the place is where the file says the thunk is from.
std::string LineOf(const std::string& file, const ordered_json& hazard) {
  std::string place;
  if (hazard.contains("first") && HasText(hazard["first"], "place")) {
    place = hazard["first"]["place"].get<std::string>();
  }
  return absl::StrCat(place.empty() ? file : place, ": ",
                      hazard["severity"].get<std::string>(), ": ",
                      hazard["message"].get<std::string>());
}

std::string Count(int64_t count, const char* what) {
  return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
}

std::string CheckAsText(const std::string& file, const ordered_json& answer) {
  const int64_t errors = answer["errors"];
  const int64_t warnings = answer["warnings"];
  std::string text;
  for (const ordered_json& hazard : answer["hazards"]) {
    absl::StrAppend(&text, Printable(LineOf(file, hazard)), "\n");
  }
  const auto listed = static_cast<int64_t>(answer["hazards"].size());
  if (errors + warnings > listed) {
    absl::StrAppend(&text, "and ", errors + warnings - listed, " more\n");
  }
  if (errors + warnings == 0) return "no hazards\n";
  return absl::StrCat(text, Count(errors, "error"), ", ", Count(warnings, "warning"),
                      "\n");
}

std::string CheckAsJson(const std::string& file, const ordered_json& answer) {
  ordered_json json = {{"schema", kJsonSchema}, {"file", file}};
  json.update(answer);
  return JsonText(json);
}

}  // namespace

CLI::App* AddCheckCommand(CLI::App& app, CheckCommandOptions& options) {
  CLI::App* check = app.add_subcommand(
      "check", "Verify a program and report hazards: races, reads of nothing, ...");
  check->footer(
      "Exit codes: 0 no hazard, or warnings only; 1 a hazard that is an error; 2 the "
      "program\ncannot be checked.\nExample:\n  thunky check program.mlir");
  check
      ->add_option("FILE", options.file,
                   "A serialized JAX executable, a bare proto or a module (.mlir)")
      ->required();
  check
      ->add_option("--kernels", options.kernels,
                   "A PTX file, or a folder of *.ptx, that is attached to kernels by "
                   "entry name (repeat)")
      ->allow_extra_args(false);
  check->add_flag("--json", options.json, "Print the answer as JSON");
  check
      ->add_option("--max-decoded-mib", options.max_decoded_mib,
                   "Memory that FILE may decode to, in MiB")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  return check;
}

ExitCode CheckProgram(const CheckCommandOptions& options, Console& console) {
  const absl::StatusOr<ordered_json> answer = Check(options, console);
  if (!answer.ok()) return console.Fail(ExitCode::kCouldNotStart, answer.status());
  console.out() << (options.json ? CheckAsJson(options.file, *answer)
                                 : CheckAsText(options.file, *answer));
  return (*answer)["errors"] == 0 ? ExitCode::kDone : ExitCode::kFailed;
}

}  // namespace thunky::tooling
