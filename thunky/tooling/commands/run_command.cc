#include "thunky/tooling/commands/run_command.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/cancellation.h"
#include "thunky/base/status_macros.h"
#include "thunky/runtime/executable.h"
#include "thunky/runtime/loaded_executable.h"
#include "thunky/tooling/commands/run_report.h"
#include "thunky/tooling/named_arrays.h"
#include "thunky/tooling/profiling_device.h"
#include "thunky/tooling/program_file.h"
#include "thunky/tooling/program_inputs.h"
#include "thunky/tooling/program_runner.h"

namespace thunky::tooling {
namespace {

constexpr uint64_t kMaxRepeats = 1000000;

// What stands ready before the first run. Members that point to others come
// after them.
struct Session {
  std::unique_ptr<hal::Device> device;
  std::optional<ProfilingDevice> profiler;
  std::shared_ptr<const runtime::Executable> executable;
  std::unique_ptr<runtime::LoadedExecutable> program;
  std::vector<ArraySpec> outputs;
  std::optional<ReferenceArrays> references;
  std::optional<ProgramRunner> runner;
};

// Options that no build of this kind can serve, or that make no sense.
absl::Status CheckOptions(const RunCommandOptions& options) {
  if (!options.ffi_libraries.empty()) {
    return absl::UnimplementedError(
        "--ffi-library: not supported by this build (it has no custom-call handlers)");
  }
  if (options.devices != 1) {
    return absl::UnimplementedError(
        absl::StrCat("--devices: expected 1, found ", options.devices,
                     ": this build has no collectives between devices"));
  }
  if (options.repeat < 1 || options.repeat > kMaxRepeats) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--repeat: expected 1 to ", kMaxRepeats, ", found ", options.repeat));
  }
  if (options.new_buffers && options.repeat == 1) {
    return absl::InvalidArgumentError("--new-buffers: expected --repeat 2 or more");
  }
  return CheckExecutionOptions(options.execution);
}

absl::Status LoadExecutable(const RunCommandOptions& options, Session& session,
                            Console& console) {
  ReadNotes notes;
  ASSIGN_OR_RETURN(const ExecutableFile file,
                   ReadProgram(options.file, {options.max_decoded_mib << 20}, &notes));
  console.Notes(notes.warnings);
  ASSIGN_OR_RETURN(const code::PtxLibrary library, ReadKernelFiles(options.kernels));
  auto executable = runtime::Executable::Load(file.executable,
                                              {.name = file.name, .kernels = &library});
  if (!executable.ok()) return Annotate(executable.status(), options.file);
  session.executable = *std::move(executable);
  const std::vector<std::string> unused =
      library.UnusedFiles(session.executable->kernels().attached());
  if (!unused.empty()) {
    constexpr size_t kShown = 3;
    console.Note(absl::StrCat(
        unused.size(), unused.size() == 1 ? " file" : " files",
        " of --kernels are not used: ",
        absl::StrJoin(unused.begin(), unused.begin() + std::min(unused.size(), kShown),
                      ", "),
        unused.size() > kShown ? ", ..." : ""));
  }
  return absl::OkStatus();
}

absl::Status Start(const RunCommandOptions& options, const DeviceCatalog& devices,
                   Session& session, Console& console) {
  RETURN_IF_ERROR(CheckOptions(options));
  Fill fill;
  if (!options.fill.empty()) {
    ASSIGN_OR_RETURN(fill, ParseFill(options.fill));
  }
  ASSIGN_OR_RETURN(session.device, devices.Open(options.execution.device,
                                                options.execution.kernel_engine));
  RETURN_IF_ERROR(LoadExecutable(options, session, console));
  const runtime::Executable& executable = *session.executable;
  RETURN_IF_ERROR(Annotate(CheckMemory(executable, *session.device), options.file));
  auto outputs = OutputSpecs(executable);
  if (!outputs.ok()) return Annotate(outputs.status(), options.file);
  session.outputs = *std::move(outputs);
  ASSIGN_OR_RETURN(std::vector<ArgumentValue> values,
                   ReadInputs(executable, options.file, options.inputs, fill));
  if (!options.execution.check.empty()) {
    ASSIGN_OR_RETURN(session.references,
                     ReferenceArrays::Open(options.execution.check, session.outputs));
  }
  if (!options.profile.empty()) session.profiler.emplace(*session.device);
  hal::Device& device = session.profiler ? *session.profiler : *session.device;
  console.Progress("preparing kernels");
  auto program = runtime::LoadedExecutable::Prepare(session.executable, device);
  if (!program.ok()) return Annotate(program.status(), options.file);
  session.program = *std::move(program);
  session.runner.emplace(*session.program, std::move(values), session.outputs);
  // The first run's buffers: a device without room for them cannot start.
  return Annotate(session.runner->Restore(/*new_buffers=*/true), options.file);
}

absl::Status CompareOutputs(const RunCommandOptions& options, const Session& session,
                            RunReport& report) {
  const Tolerance tolerance = ToleranceOf(options.execution);
  for (size_t i = 0; i < report.outputs.size(); ++i) {
    ASSIGN_OR_RETURN(Comparison comparison,
                     session.references->CompareWith(report.outputs[i], tolerance));
    if (report.comparisons.size() == i) {
      report.comparisons.push_back(std::move(comparison));
    } else {
      KeepWorse(report.comparisons[i], std::move(comparison));
    }
  }
  return absl::OkStatus();
}

absl::Status RunRepeatedly(const RunCommandOptions& options, Session& session,
                           RunReport& report, Console& console) {
  const CancellationToken token(DeadlineOf(options.execution));
  hal::RunOptions run = RunOptionsOf(options.execution, token, console);
  run.graph = options.graph == "on"    ? hal::GraphMode::kOn
              : options.graph == "off" ? hal::GraphMode::kOff
                                       : hal::GraphMode::kAuto;
  for (uint64_t i = 0; i < options.repeat; ++i) {
    console.Progress(absl::StrCat("run ", i + 1, " of ", options.repeat));
    if (i > 0) RETURN_IF_ERROR(session.runner->Restore(options.new_buffers));
    ASSIGN_OR_RETURN(const double seconds, session.runner->Run(run));
    report.seconds.push_back(seconds);
    if (i + 1 < options.repeat && !session.references) continue;
    ASSIGN_OR_RETURN(report.outputs, session.runner->Outputs());
    if (session.references) RETURN_IF_ERROR(CompareOutputs(options, session, report));
  }
  report.graph = session.program->graph_statistics();
  return absl::OkStatus();
}

}  // namespace

CLI::App* AddRunCommand(CLI::App& app, RunCommandOptions& options) {
  CLI::App* run =
      app.add_subcommand("run", "Run a program and check or save its results");
  run->footer(
      "Example: run what JAX compiled on this CPU, with the PTX that XLA dumped\n"
      "  thunky run executable.bin --kernels dump/ --input io.npz --check io.npz");
  run->add_option("FILE", options.file,
                  "A serialized JAX executable, a bare proto or a module (.mlir)")
      ->required();
  AddExecutionOptions(*run, options.execution);
  run->add_option("--input", options.inputs,
                  "A .npy file (repeat, in the order of the arguments) or one .npz file "
                  "with in0, in1, ...")
      ->allow_extra_args(false);
  run->add_option("--fill", options.fill,
                  "Make up arguments not given: zeros, or random[:SEED] (floats from -1 "
                  "to 1, integers from 0 to 99)");
  run->add_option("--kernels", options.kernels,
                  "A PTX file, or a folder of *.ptx, for kernels without PTX in FILE; "
                  "matched by entry name (repeat)")
      ->allow_extra_args(false);
  run->add_option("--repeat", options.repeat,
                  "Run so often; written arguments are restored before each run")
      ->capture_default_str();
  run->add_option(
         "--graph", options.graph,
         "Whether a run goes to the device as one graph, where it has graphs: on, "
         "off, or auto (from the second run on, where the program can be one)")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str();
  run->add_flag("--new-buffers", options.new_buffers, "New buffers for each run");
  run->add_option("--max-decoded-mib", options.max_decoded_mib,
                  "Memory that FILE may decode to, in MiB")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  run->add_option("--profile", options.profile,
                  "Write a trace of the runs in Chrome's format (Perfetto reads it)");
  run->add_option("--devices", options.devices, "Simulated devices")
      ->capture_default_str();
  run->add_option("--ffi-library", options.ffi_libraries,
                  "A shared library with custom-call handlers (repeat)")
      ->allow_extra_args(false);
  return run;
}

ExitCode RunProgram(const RunCommandOptions& options, const DeviceCatalog& devices,
                    Console& console) {
  Session session;
  absl::Status status = Start(options, devices, session, console);
  if (!status.ok()) return console.Fail(ExitCode::kCouldNotStart, status);
  RunReport report;
  report.file = options.file;
  report.subject = "program";
  report.name = session.executable->name();
  report.device = std::string(session.device->name());
  report.device_description = session.device->description();
  report.checked = session.references.has_value();
  status = RunRepeatedly(options, session, report, console);
  if (session.profiler) {
    absl::Status written = session.profiler->Write(options.profile);
    if (status.ok()) status = written;
  }
  if (!status.ok()) {
    return console.Fail(ExitCode::kFailed, Annotate(status, options.file));
  }
  return FinishReport(report, options.execution, console);
}

}  // namespace thunky::tooling
