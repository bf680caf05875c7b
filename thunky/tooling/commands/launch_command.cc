#include "thunky/tooling/commands/launch_command.h"

#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/argument_value.h"
#include "thunky/tooling/commands/run_report.h"
#include "thunky/tooling/files.h"
#include "thunky/tooling/launch_argument.h"
#include "thunky/tooling/named_arrays.h"

namespace thunky::tooling {
namespace {

constexpr uint64_t kMaxPtxBytes = uint64_t{256} << 20;

// A launch with everything in place.
struct Launch {
  std::unique_ptr<hal::Device> device;
  std::vector<LaunchArgument> arguments;
  std::vector<std::unique_ptr<hal::Allocation>> buffers;  // null for scalars
  hal::LaunchCommand command;
  hal::MemoryMap memory;
  std::vector<ArraySpec> outputs;
  std::optional<ReferenceArrays> references;
};

absl::Status LoadKernel(const LaunchCommandOptions& options, Launch& launch) {
  ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes,
                   ReadFile(options.file, kMaxPtxBytes));
  hal::KernelSource source;
  source.entry = options.entry;
  source.ptx = std::make_shared<const std::string>(bytes.begin(), bytes.end());
  source.origin = options.file;
  ASSIGN_OR_RETURN(launch.command.kernel, launch.device->LoadKernel(source));
  return absl::OkStatus();
}

// Shapes and arguments against what the kernel declares, before anything is
// allocated.
absl::Status CheckShapes(const LaunchCommandOptions& options, Launch& launch) {
  std::vector<uint64_t> sizes;
  uint64_t wanted = 0;
  for (const LaunchArgument& argument : launch.arguments) {
    sizes.push_back(argument.is_buffer() ? sizeof(uint64_t) : argument.bytes.size());
    // Outputs are copied out at the end.
    const uint64_t copies = argument.is_output() ? 2 : 1;
    if (argument.size > ~wanted / copies) {
      return absl::ResourceExhaustedError("memory: the arguments are too large");
    }
    wanted += argument.size * copies;
  }
  RETURN_IF_ERROR(Annotate(
      hal::CheckKernelLaunch(launch.device->limits(), launch.command.kernel->info(),
                             launch.command.grid, launch.command.block,
                             launch.command.dynamic_shared_bytes, sizes),
      options.file));
  ASSIGN_OR_RETURN(const hal::MemoryInfo info, launch.device->memory_info());
  if (wanted <= info.free_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("memory: expected ", wanted, " bytes free, found ", info.free_bytes));
}

absl::Status MakeBuffers(Launch& launch) {
  std::vector<hal::MemoryRange> ranges;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const LaunchArgument& argument = launch.arguments[i];
    if (!argument.is_buffer()) {
      launch.buffers.push_back(nullptr);
      launch.command.arguments.push_back(argument.bytes);
      continue;
    }
    ASSIGN_OR_RETURN(auto buffer, launch.device->Allocate(argument.size));
    const hal::DeviceSpan span = buffer->span();
    RETURN_IF_ERROR(ArgumentValue::Bytes(argument.bytes).Upload(*launch.device, span));
    std::vector<uint8_t> pointer(sizeof(span.address));
    std::memcpy(pointer.data(), &span.address, sizeof(span.address));
    launch.command.arguments.push_back(std::move(pointer));
    ranges.push_back({.begin = span.address,
                      .end = span.address + span.size,
                      .writable = argument.is_output(),
                      .name = absl::StrCat("argument ", i, " (", argument.text, ")")});
    launch.buffers.push_back(std::move(buffer));
  }
  launch.command.accesses = ranges;
  launch.memory = hal::MemoryMap(std::move(ranges));
  return absl::OkStatus();
}

absl::Status Start(const LaunchCommandOptions& options, const DeviceCatalog& devices,
                   Launch& launch) {
  RETURN_IF_ERROR(CheckExecutionOptions(options.execution));
  ASSIGN_OR_RETURN(launch.command.grid, ParseDim3("--grid", options.grid));
  ASSIGN_OR_RETURN(launch.command.block, ParseDim3("--block", options.block));
  launch.command.dynamic_shared_bytes = options.shared_bytes;
  ASSIGN_OR_RETURN(launch.device, devices.Open(options.execution.device,
                                               options.execution.kernel_engine));
  RETURN_IF_ERROR(LoadKernel(options, launch));
  for (const std::string& text : options.arguments) {
    ASSIGN_OR_RETURN(LaunchArgument argument, ParseLaunchArgument(text));
    if (argument.is_output()) {
      launch.outputs.push_back(
          {absl::StrCat("out", launch.outputs.size()), argument.element, argument.shape});
    }
    launch.arguments.push_back(std::move(argument));
  }
  RETURN_IF_ERROR(CheckShapes(options, launch));
  if (!options.execution.check.empty()) {
    ASSIGN_OR_RETURN(launch.references,
                     ReferenceArrays::Open(options.execution.check, launch.outputs));
  }
  return MakeBuffers(launch);
}

absl::Status Run(const LaunchCommandOptions& options, const Launch& launch,
                 RunReport& report, Console& console) {
  const CancellationToken token(DeadlineOf(options.execution));
  hal::RunOptions run = RunOptionsOf(options.execution, token, console);
  run.memory = &launch.memory;
  ASSIGN_OR_RETURN(std::unique_ptr<hal::Recorder> recorder,
                   launch.device->NewRecorder(run));
  const auto start = std::chrono::steady_clock::now();
  RETURN_IF_ERROR(recorder->Launch(launch.command));
  RETURN_IF_ERROR(recorder->Finish());
  report.seconds.push_back(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    if (!launch.arguments[i].is_output()) continue;
    std::vector<uint8_t> bytes(launch.arguments[i].size);
    RETURN_IF_ERROR(
        launch.device->Download(absl::MakeSpan(bytes), launch.buffers[i]->span()));
    report.outputs.push_back({launch.outputs[report.outputs.size()], std::move(bytes)});
  }
  if (!launch.references) return absl::OkStatus();
  for (const NamedArray& output : report.outputs) {
    ASSIGN_OR_RETURN(Comparison comparison, launch.references->CompareWith(
                                                output, ToleranceOf(options.execution)));
    report.comparisons.push_back(std::move(comparison));
  }
  return absl::OkStatus();
}

}  // namespace

CLI::App* AddLaunchCommand(CLI::App& app, LaunchCommandOptions& options) {
  CLI::App* launch = app.add_subcommand("launch", "Launch one kernel of a PTX file");
  launch->footer(
      "Example:\n"
      "  thunky launch saxpy.ptx saxpy --grid 16 --block 256 \\\n"
      "    --arg i32:4096 --arg f32:2.5 --arg x.npy --arg inout:y.npy --output out.npz");
  launch->add_option("FILE", options.file, "A PTX file")->required();
  launch->add_option("ENTRY", options.entry, "The kernel's entry name")->required();
  launch->add_option("--grid", options.grid, "Blocks: X[,Y[,Z]]")->capture_default_str();
  launch->add_option("--block", options.block, "Threads of a block: X[,Y[,Z]]")
      ->capture_default_str();
  launch->add_option("--shared", options.shared_bytes, "Dynamic shared memory, in bytes")
      ->capture_default_str();
  launch
      ->add_option(
          "--arg", options.arguments,
          "One for each parameter, in order: A.npy (read only), inout:A.npy, "
          "out:f32[64,3] (starts as zeros), f32:2.5, i32:7, u64:0x10, bool:true, "
          "null")
      ->allow_extra_args(false);
  AddExecutionOptions(*launch, options.execution);
  return launch;
}

ExitCode LaunchKernel(const LaunchCommandOptions& options, const DeviceCatalog& devices,
                      Console& console) {
  Launch launch;
  absl::Status status = Start(options, devices, launch);
  if (!status.ok()) return console.Fail(ExitCode::kCouldNotStart, status);
  RunReport report;
  report.file = options.file;
  report.subject = "kernel";
  report.name = options.entry;
  report.device = std::string(launch.device->name());
  report.device_description = launch.device->description();
  report.checked = launch.references.has_value();
  status = Run(options, launch, report, console);
  if (!status.ok()) {
    return console.Fail(ExitCode::kFailed, Annotate(status, options.file));
  }
  return FinishReport(report, options.execution, console);
}

}  // namespace thunky::tooling
