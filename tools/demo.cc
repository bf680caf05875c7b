// Runs programs that JAX compiled for a GPU on this CPU and compares what comes
// out with what the GPU computed.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "thunky/base/status_macros.h"
#include "thunky/runtime/executable.h"
#include "thunky/runtime/loaded_executable.h"
#include "thunky/schema/walk.h"
#include "thunky/tooling/console.h"
#include "thunky/tooling/named_arrays.h"
#include "thunky/tooling/program_file.h"
#include "thunky/tooling/program_inputs.h"
#include "thunky/tooling/program_runner.h"
#include "tools/available_devices.h"

namespace thunky {
namespace {

using tooling::ExitCode;

struct DemoProgram {
  const char* name;
  const char* about;
  double rtol;  // of the largest magnitude too
};

constexpr DemoProgram kPrograms[] = {
    {"softmax", "row-wise softmax of f32[64,256]", 2e-6},
    {"while_collatz", "a loop whose end only the data knows", 0},
    {"cond", "one of two branches, by a bool", 2e-6},
    {"sort", "1000 floats, bitonic in shared memory", 0},
};

struct DemoResult {
  size_t thunks = 0;
  size_t kernels = 0;
  double largest_difference = 0;
  bool holds = true;
  double seconds = 0;
};

absl::StatusOr<DemoResult> RunOne(const std::string& folder, const DemoProgram& demo) {
  const std::string path = folder + "/" + demo.name;
  ASSIGN_OR_RETURN(const ExecutableFile file,
                   tooling::ReadProgram(path + "/executable.bin", {}));
  ASSIGN_OR_RETURN(const code::PtxLibrary library,
                   tooling::ReadKernelFiles({path + "/kernels"}));
  ASSIGN_OR_RETURN(std::shared_ptr<const runtime::Executable> executable,
                   runtime::Executable::Load(file.executable,
                                             {.name = demo.name, .kernels = &library}));
  ASSIGN_OR_RETURN(std::unique_ptr<hal::Device> device,
                   AvailableDevices().Open("host", "interp"));
  ASSIGN_OR_RETURN(std::unique_ptr<runtime::LoadedExecutable> program,
                   runtime::LoadedExecutable::Prepare(executable, *device));
  const std::string io = path + "/io.npz";
  ASSIGN_OR_RETURN(std::vector<tooling::ArgumentValue> values,
                   tooling::ReadInputs(*executable, path, {io}, {}));
  ASSIGN_OR_RETURN(const std::vector<tooling::ArraySpec> specs,
                   tooling::OutputSpecs(*executable));
  ASSIGN_OR_RETURN(const tooling::ReferenceArrays references,
                   tooling::ReferenceArrays::Open(io, specs));

  DemoResult result;
  tooling::ProgramRunner runner(*program, std::move(values), specs);
  RETURN_IF_ERROR(runner.Restore(/*new_buffers=*/true));
  ASSIGN_OR_RETURN(result.seconds, runner.Run({}));
  ASSIGN_OR_RETURN(const std::vector<tooling::NamedArray> outputs, runner.Outputs());
  for (const tooling::NamedArray& output : outputs) {
    ASSIGN_OR_RETURN(const tooling::Comparison comparison,
                     references.CompareWith(output, {demo.rtol, {}}));
    result.holds &= comparison.holds;
    result.largest_difference =
        std::max(result.largest_difference, comparison.largest_difference);
  }
  result.kernels = executable->kernels().slots().size();
  RETURN_IF_ERROR(
      schema::WalkThunks(file.executable.thunks(), [&](const schema::ThunkVisit&) {
        ++result.thunks;
        return absl::OkStatus();
      }));
  return result;
}

ExitCode RunAll(const std::string& folder, tooling::Console& console) {
  std::printf(
      "Compiled by JAX for an H200, run on this CPU, compared with the H200:\n\n");
  std::printf("  %-14s %6s %7s %18s %9s  %s\n", "program", "thunks", "kernels",
              "largest difference", "time", "what it is");
  ExitCode code = ExitCode::kDone;
  for (const DemoProgram& demo : kPrograms) {
    const absl::StatusOr<DemoResult> result = RunOne(folder, demo);
    if (!result.ok()) return console.Fail(ExitCode::kCouldNotStart, result.status());
    constexpr double kMilli = 1e3;
    std::printf("  %-14s %6zu %7zu %18.3g %6.1f ms  %s%s\n", demo.name, result->thunks,
                result->kernels, result->largest_difference, result->seconds * kMilli,
                demo.about, result->holds ? "" : "  DIFFERS");
    if (!result->holds) code = ExitCode::kFailed;
  }
  std::printf("\n%s\n",
              code == ExitCode::kDone ? "All results agree." : "Some results differ.");
  return code;
}

}  // namespace
}  // namespace thunky

int main(int argc, char** argv) {
  thunky::tooling::Console console(std::cout, std::cerr, /*terminal=*/false);
  if (argc != 2 || std::string_view(argv[1]) == "--help") {
    std::printf(
        "usage: thunky_demo FOLDER\n"
        "FOLDER has, for each program, executable.bin, io.npz and kernels/*.ptx.\n"
        "Example: thunky_demo test/fixtures/jax-0.11.2-ptx\n");
    return argc == 2 ? 0 : 2;
  }
  return static_cast<int>(thunky::RunAll(argv[1], console));
}
