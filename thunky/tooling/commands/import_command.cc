#include "thunky/tooling/commands/import_command.h"

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/commands/command_output.h"
#include "thunky/tooling/compiler_library.h"
#include "thunky/tooling/program_file.h"

namespace thunky::tooling {
namespace {

// People are shown text without its blobs, files keep all of it.
thunky_module_format FormatOf(const ImportCommandOptions& options,
                              const Console& console) {
  if (options.bytecode) return THUNKY_MODULE_BYTECODE;
  const bool for_a_person = options.output.empty() && console.out_terminal();
  return options.elide || (for_a_person && !options.no_elide) ? THUNKY_MODULE_TEXT_ELIDED
                                                              : THUNKY_MODULE_TEXT;
}

absl::StatusOr<CompilerOutput> Import(const ImportCommandOptions& options,
                                      const Console& console) {
  RETURN_IF_ERROR(CheckOutput(options.output, options.bytecode, console));
  ASSIGN_OR_RETURN(const FileContent content, ReadContent(options.file));
  if (content.kind != ContentKind::kExecutable) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.file, ": expected an executable or a proto, found ",
                     std::string(ContentKindName(content.kind))));
  }
  ASSIGN_OR_RETURN(const std::vector<NamedText> kernels,
                   ReadKernelTexts(options.kernels));
  ASSIGN_OR_RETURN(const CompilerLibrary compiler, CompilerLibrary::Load());
  return compiler.Import(options.file, content.text(),
                         {.format = FormatOf(options, console),
                          .kernels = kernels,
                          .max_decoded_bytes = options.max_decoded_mib << 20});
}

}  // namespace

CLI::App* AddImportCommand(CLI::App& app, ImportCommandOptions& options) {
  CLI::App* command =
      app.add_subcommand("import", "Turn an executable into a module of the dialect");
  command->footer(
      "Example: a module that runs on the host, with the PTX that XLA dumped\n"
      "  thunky import executable.bin --kernels dump/ -o program.mlir");
  command->add_option("FILE", options.file, "A serialized JAX executable or a bare proto")
      ->required();
  command->add_option("-o,--output", options.output,
                      "Write the module to this file (default: standard output)");
  command
      ->add_option("--kernels", options.kernels,
                   "A PTX file, or a folder of *.ptx, that is attached to kernels by "
                   "entry name (repeat)")
      ->allow_extra_args(false);
  CLI::Option* elide = command->add_flag(
      "--elide", options.elide,
      "Leave large blobs out, for reading (default when writing to a terminal)");
  CLI::Option* no_elide = command->add_flag("--no-elide", options.no_elide,
                                            "Print every blob, also to a terminal");
  command->add_flag("--bytecode", options.bytecode, "Write MLIR bytecode instead of text")
      ->excludes(elide);
  elide->excludes(no_elide);
  command
      ->add_option("--max-decoded-mib", options.max_decoded_mib,
                   "Memory that FILE may decode to, in MiB")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  return command;
}

ExitCode ImportProgram(const ImportCommandOptions& options, Console& console) {
  const absl::StatusOr<CompilerOutput> module = Import(options, console);
  if (!module.ok()) return console.Fail(ExitCode::kCouldNotStart, module.status());
  console.Notes(module->warnings);
  return WriteOutput(options.output, module->bytes, console);
}

}  // namespace thunky::tooling
