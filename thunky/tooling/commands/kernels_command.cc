#include "thunky/tooling/commands/kernels_command.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/cubin/cubin_reader.h"
#include "thunky/tooling/code_extraction.h"
#include "thunky/tooling/commands/kernels_report.h"
#include "thunky/tooling/program_file.h"

namespace thunky::tooling {
namespace {

constexpr uint64_t kMaxPtxBytes = uint64_t{256} << 20;

// What is listed, and the code to write out.
struct Listing {
  KernelsReport report;
  std::vector<CodeBlob> blobs;
};

// Modules are parsed once, however many entries they have.
class AnalysisCache {
 public:
  // Of text that outlives the cache. The error is the parser's.
  const absl::StatusOr<PtxAnalysis>& Of(std::string_view text) {
    auto it = analyses_.find(text.data());
    if (it == analyses_.end()) {
      it = analyses_.emplace(text.data(), PtxAnalysis::Of(text)).first;
    }
    return it->second;
  }

 private:
  std::map<const char*, absl::StatusOr<PtxAnalysis>> analyses_;
};

std::string WhyNot(const KernelAnalysis& kernel) {
  if (kernel.diagnostics.empty()) return "";
  size_t unsupported = 0;
  for (const ptx::Diagnostic& diagnostic : kernel.diagnostics) {
    unsupported += diagnostic.unsupported ? 1 : 0;
  }
  const size_t invalid = kernel.diagnostics.size() - unsupported;
  return absl::StrCat(unsupported, " unsupported instructions, ", invalid,
                      " errors in the PTX");
}

void Describe(const PtxAnalysis& module, const KernelAnalysis& kernel,
              ListedKernel& listed) {
  listed.version = module.version();
  listed.target = module.target();
  listed.why_not = WhyNot(kernel);
  listed.analysis = kernel;
}

absl::Status ListPtxFile(const std::string& path, std::string_view text,
                         Listing& listing) {
  absl::StatusOr<PtxAnalysis> module = PtxAnalysis::Of(text);
  if (!module.ok()) return Annotate(module.status(), path);
  for (const KernelAnalysis& kernel : module->kernels()) {
    ListedKernel listed;
    listed.entry = kernel.interface.name;
    listed.code = "PTX";
    listed.code_bytes = text.size();
    Describe(*module, kernel, listed);
    listing.report.kernels.push_back(std::move(listed));
    listing.blobs.push_back({kernel.interface.name, ".ptx", text});
  }
  return absl::OkStatus();
}

// Fills in what PTX the host would run for a kernel of a program.
void DescribePtxOf(const ProgramKernel& kernel, const code::PtxLibrary& library,
                   AnalysisCache& cache, ListedKernel& listed) {
  std::string_view text;
  const code::PtxEntry* attached = library.Find(kernel.entry);
  if (const CodeForm* ptx = kernel.ptx()) {
    text = ptx->bytes;
  } else if (kernel.place == CodePlace::kInProcess) {
    listed.why_not = absl::StrCat("its code is the symbol '", std::string(kernel.symbol),
                                  "' inside XLA, not in the file");
    return;
  } else if (attached != nullptr) {
    text = *attached->text;
    listed.origin = attached->file;
  } else {
    listed.why_not =
        "no PTX: compile with the options xla_dump_to=DIR and "
        "xla_dump_emitter_re=.* and give --kernels DIR";
    return;
  }
  const absl::StatusOr<PtxAnalysis>& module = cache.Of(text);
  if (!module.ok()) {
    listed.why_not = std::string(module.status().message());
    return;
  }
  const KernelAnalysis* analysis = module->Find(kernel.entry);
  if (analysis == nullptr) {
    listed.why_not = "its PTX has no such entry";
    return;
  }
  Describe(*module, *analysis, listed);
}

ListedCubin DescribeCubin(const std::string& entry, const CodeForm& form) {
  ListedCubin listed{.bytes = form.bytes.size()};
  const absl::StatusOr<cubin::CubinInfo> info = cubin::ReadCubin(form.bytes);
  if (!info.ok()) {
    listed.problem = std::string(info.status().message());
    return listed;
  }
  listed.architecture = info->architecture;
  const cubin::CubinEntry* found = info->Find(entry);
  if (found == nullptr) {
    listed.problem = absl::StrCat("for ", info->architecture, ": has no such entry");
  } else if (found->parameters) {
    listed.parameter_bytes.emplace();
    for (const cubin::CubinParameter& parameter : *found->parameters) {
      listed.parameter_bytes->push_back(parameter.size);
    }
  }
  return listed;
}

void AddBlobs(const ProgramKernel& kernel, Listing& listing) {
  for (const CodeForm& form : kernel.forms) {
    const std::string architecture(form.architecture);
    listing.blobs.push_back({architecture.empty()
                                 ? kernel.entry
                                 : absl::StrCat(kernel.entry, ".", architecture),
                             form.is_ptx ? ".ptx" : ".cubin", form.bytes});
  }
}

absl::Status ListProgram(const KernelsCommandOptions& options, const ExecutableFile& file,
                         Listing& listing) {
  ASSIGN_OR_RETURN(const code::PtxLibrary library, ReadKernelFiles(options.kernels));
  absl::StatusOr<std::vector<ProgramKernel>> kernels = KernelsOf(file.executable);
  if (!kernels.ok()) return Annotate(kernels.status(), options.file);
  AnalysisCache cache;
  for (ProgramKernel& kernel : *kernels) {
    ListedKernel listed;
    listed.entry = kernel.entry;
    listed.code = kernel.DescribeCode();
    listed.code_bytes = kernel.code_bytes();
    listed.launches = std::move(kernel.launches);
    for (const CodeForm& form : kernel.forms) {
      if (!form.is_ptx) listed.cubins.push_back(DescribeCubin(kernel.entry, form));
    }
    DescribePtxOf(kernel, library, cache, listed);
    listing.report.kernels.push_back(std::move(listed));
    AddBlobs(kernel, listing);
  }
  return absl::OkStatus();
}

// What a listing points to: a PTX file or a program.
struct Listed {
  FileContent ptx;
  ExecutableFile program;
};

absl::Status List(const KernelsCommandOptions& options, Listed& listed, Listing& listing,
                  Console& console) {
  ASSIGN_OR_RETURN(listed.ptx, ReadContent(options.file));
  if (listed.ptx.kind != ContentKind::kPtx) {
    listed.ptx = {};
    ReadNotes notes;
    ASSIGN_OR_RETURN(listed.program,
                     ReadProgram(options.file, {options.max_decoded_mib << 20}, &notes));
    console.Notes(notes.warnings);
    RETURN_IF_ERROR(ListProgram(options, listed.program, listing));
  } else if (listed.ptx.bytes.size() > kMaxPtxBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat(options.file, ": expected at most ", kMaxPtxBytes, " bytes of PTX"));
  } else if (!options.kernels.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--kernels: expected an executable in ", options.file, ", found PTX"));
  } else {
    RETURN_IF_ERROR(ListPtxFile(options.file, listed.ptx.text(), listing));
  }
  if (options.extract.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(listing.report.extracted, ExtractCode(options.extract, listing.blobs));
  return absl::OkStatus();
}

}  // namespace

CLI::App* AddKernelsCommand(CLI::App& app, KernelsCommandOptions& options) {
  CLI::App* kernels = app.add_subcommand("kernels",
                                         "List the kernels of a PTX file or an "
                                         "executable, and whether the host can run them");
  kernels->footer("Example:\n  thunky kernels executable.bin --extract code/");
  kernels
      ->add_option("FILE", options.file,
                   "A PTX file, an executable, a bare proto or a module (.mlir)")
      ->required();
  kernels
      ->add_option("--kernels", options.kernels,
                   "A PTX file, or a folder of *.ptx, for kernels without PTX in FILE; "
                   "matched by entry name (repeat)")
      ->allow_extra_args(false);
  kernels->add_option("--extract", options.extract,
                      "Write the code in FILE to this folder, one file for each module");
  kernels->add_flag("--json", options.json, "Print the answer as JSON");
  kernels
      ->add_option("--max-decoded-mib", options.max_decoded_mib,
                   "Memory that FILE may decode to, in MiB")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  return kernels;
}

ExitCode ListKernels(const KernelsCommandOptions& options, Console& console) {
  Listed listed;
  Listing listing;
  listing.report.file = options.file;
  absl::Status status = List(options, listed, listing, console);
  if (!status.ok()) return console.Fail(ExitCode::kCouldNotStart, status);
  console.out() << (options.json ? KernelsAsJson(listing.report)
                                 : KernelsAsText(listing.report));
  return ExitCode::kDone;
}

}  // namespace thunky::tooling
