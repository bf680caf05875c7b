#include "thunky/tooling/commands/export_command.h"

#include <cctype>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/commands/command_output.h"
#include "thunky/tooling/compiler_library.h"
#include "thunky/tooling/program_file.h"

namespace thunky::tooling {
namespace {

struct Target {
  std::string_view name;
  thunky_export_form form;
  thunky_export_code code;
};
constexpr Target kTargets[] = {
    {"", THUNKY_EXPORT_COMPLETE, THUNKY_EXPORT_CUBIN_FIRST},
    {"cubin", THUNKY_EXPORT_COMPLETE, THUNKY_EXPORT_CUBIN},
    {"ptx", THUNKY_EXPORT_COMPLETE, THUNKY_EXPORT_PTX},
    {"runtime", THUNKY_EXPORT_RUNTIME, THUNKY_EXPORT_CUBIN_FIRST},
};

absl::StatusOr<Target> TargetOf(const ExportCommandOptions& options) {
  for (Target target : kTargets) {
    if (target.name != options.target) continue;
    if (options.bare && target.form == THUNKY_EXPORT_COMPLETE) {
      target.form = THUNKY_EXPORT_BARE;
    }
    return target;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--target: expected cubin, ptx or runtime, found '", options.target, "'"));
}

// Whether `text` is a compute capability: "9.0", "9.0a", "10.3f".
bool IsComputeCapability(std::string_view text) {
  const auto digits = [&] {
    size_t count = 0;
    while (count < text.size() && std::isdigit(static_cast<unsigned char>(text[count]))) {
      ++count;
    }
    text.remove_prefix(count);
    return count;
  };
  if (const size_t major = digits(); major == 0 || major > 2) return false;
  if (text.empty() || text[0] != '.') return false;
  text.remove_prefix(1);
  if (digits() != 1) return false;
  return text.empty() || text == "a" || text == "f";
}

absl::StatusOr<CompilerOutput> Export(const ExportCommandOptions& options,
                                      const Console& console) {
  ASSIGN_OR_RETURN(const Target target, TargetOf(options));
  if (!options.gpu.empty() && !IsComputeCapability(options.gpu)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--gpu: expected a compute capability such as 9.0a, found '", options.gpu, "'"));
  }
  RETURN_IF_ERROR(CheckOutput(options.output, /*binary=*/true, console));
  ASSIGN_OR_RETURN(const FileContent content, ReadContent(options.file));
  if (!IsMlir(content.kind)) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.file, ": expected a module (MLIR text or bytecode), found ",
        std::string(ContentKindName(content.kind)),
        content.kind == ContentKind::kExecutable ? ": see 'thunky import'" : ""));
  }
  ASSIGN_OR_RETURN(const std::vector<NamedText> kernels,
                   ReadKernelTexts(options.kernels));
  ASSIGN_OR_RETURN(const CompilerLibrary compiler, CompilerLibrary::Load());
  return compiler.Export(
      options.file, content.text(),
      {.form = target.form,
       .code = target.code,
       .compute_capability = options.gpu,
       .base_folder = std::filesystem::path(options.file).parent_path().string(),
       .kernels = kernels});
}

}  // namespace

CLI::App* AddExportCommand(CLI::App& app, ExportCommandOptions& options) {
  CLI::App* command =
      app.add_subcommand("export", "Turn a module into an executable that JAX loads");
  command->footer(
      "Example: a file for jaxlib's deserialize_executable\n"
      "  thunky export program.mlir --gpu 9.0a -o executable.bin");
  command->add_option("FILE", options.file, "A module: MLIR text or bytecode")
      ->required();
  command->add_option("-o,--output", options.output,
                      "Write the executable to this file (default: standard output)");
  command->add_flag("--bare", options.bare, "Only the GpuExecutableProto");
  command->add_option("--target", options.target,
                      "Code of the kernels: cubin, ptx, or runtime: a bare proto for "
                      "thunky's own runtime with every form of code, each once (default: "
                      "cubin where there is one, else PTX)");
  command->add_option("--gpu", options.gpu,
                      "Compute capability of a program that was never imported: 9.0a");
  command
      ->add_option("--kernels", options.kernels,
                   "A PTX file, or a folder of *.ptx, that is attached to kernels by "
                   "entry name (repeat)")
      ->allow_extra_args(false);
  return command;
}

ExitCode ExportProgram(const ExportCommandOptions& options, Console& console) {
  const absl::StatusOr<CompilerOutput> executable = Export(options, console);
  if (!executable.ok()) {
    return console.Fail(ExitCode::kCouldNotStart, executable.status());
  }
  console.Notes(executable->warnings);
  return WriteOutput(options.output, executable->bytes, console);
}

}  // namespace thunky::tooling
