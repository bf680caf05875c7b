#include "thunky/tooling/command_line.h"

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/ptx/parser.h"
#include "thunky/tooling/commands/check_command.h"
#include "thunky/tooling/commands/devices_command.h"
#include "thunky/tooling/commands/diff_command.h"
#include "thunky/tooling/commands/export_command.h"
#include "thunky/tooling/commands/import_command.h"
#include "thunky/tooling/commands/inspect_command.h"
#include "thunky/tooling/commands/kernels_command.h"
#include "thunky/tooling/commands/launch_command.h"
#include "thunky/tooling/commands/run_command.h"
#include "thunky/tooling/compiler_library.h"

namespace thunky::tooling {
namespace {

// The compiler's LLVM, where there is one.
std::string LlvmText() {
  const absl::StatusOr<CompilerLibrary> compiler = CompilerLibrary::Load();
  if (compiler.ok()) {
    return absl::StrCat(compiler->llvm_version(), " (", compiler->path(), ")");
  }
  switch (compiler.status().code()) {
    case absl::StatusCode::kUnimplemented:
      return "none in this build";
    case absl::StatusCode::kNotFound:
      return "none, the compiler library was not found";
    default:
      return absl::StrCat("none: ", compiler.status().message());
  }
}

std::string VersionText() {
  return absl::StrCat("thunky ", THUNKY_VERSION, "\nLLVM: ", LlvmText(), "\n",
                      "PTX: up to version ", ptx::kNewestMajor, ".", ptx::kNewestMinor,
                      "\nschema: jaxlib 0.11.2");
}

// What is wrong with a command line without a command.
std::string NoCommandText(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining();
  const std::vector<const CLI::App*> commands = app.get_subcommands({});
  return absl::StrCat(
      rest.empty() ? "a command is missing"
                   : absl::StrCat("there is no command '", rest.front(), "'"),
      "; there are: ",
      absl::StrJoin(commands, ", ", [](std::string* text, const CLI::App* command) {
        text->append(command->get_name());
      }));
}

// Help and version are answers; anything else is an error of usage, whose first
// line is the message.
ExitCode ReportParseResult(const CLI::App& app, const CLI::ParseError& error,
                           Console& console) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    std::ostringstream ignored;
    app.exit(error, console.out(), ignored);
    return ExitCode::kDone;
  }
  const std::vector<CLI::App*> commands = app.get_subcommands();
  const bool no_command =
      commands.empty() &&
      error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  std::string message = no_command ? NoCommandText(app) : error.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  const std::string command = commands.empty() ? "" : commands[0]->get_name() + " ";
  return console.Fail(ExitCode::kCouldNotStart,
                      absl::InvalidArgumentError(absl::StrCat(
                          "thunky: ", message, "\nSee 'thunky ", command, "--help'.")));
}

}  // namespace

ExitCode RunCommandLine(int argc, const char* const* argv, const DeviceCatalog& devices,
                        Console& console) {
  CLI::App app("Run, look into and launch what JAX compiled for a GPU", "thunky");
  app.set_version_flag("--version", VersionText, "Versions of this build");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done; 1 the run failed or a check did not hold; 2 could not "
      "start.\nExample:\n  thunky run executable.bin --kernels dump/ --input "
      "io.npz --check io.npz");
  RunCommandOptions run;
  InspectCommandOptions inspect;
  KernelsCommandOptions kernels;
  LaunchCommandOptions launch;
  ImportCommandOptions import;
  ExportCommandOptions exported;
  CheckCommandOptions check;
  DiffCommandOptions diff;
  DevicesCommandOptions list;
  const std::pair<CLI::App*, std::function<ExitCode()>> commands[] = {
      {AddRunCommand(app, run), [&] { return RunProgram(run, devices, console); }},
      {AddInspectCommand(app, inspect), [&] { return InspectProgram(inspect, console); }},
      {AddKernelsCommand(app, kernels), [&] { return ListKernels(kernels, console); }},
      {AddLaunchCommand(app, launch),
       [&] { return LaunchKernel(launch, devices, console); }},
      {AddImportCommand(app, import), [&] { return ImportProgram(import, console); }},
      {AddExportCommand(app, exported), [&] { return ExportProgram(exported, console); }},
      {AddCheckCommand(app, check), [&] { return CheckProgram(check, console); }},
      {AddDiffCommand(app, diff), [&] { return ShowDifferences(diff, console); }},
      {AddDevicesCommand(app, list), [&] { return ListDevices(list, devices, console); }},
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return ReportParseResult(app, error, console);
  }
  for (const auto& [command, action] : commands) {
    if (command->parsed()) return action();
  }
  return ExitCode::kCouldNotStart;
}

}  // namespace thunky::tooling
