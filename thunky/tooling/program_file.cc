#include "thunky/tooling/program_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/files.h"

namespace thunky::tooling {
namespace {

namespace fs = std::filesystem;

// What an executable may decode to is limited apart from this; no PTX and no
// compressed executable worth reading is larger.
constexpr uint64_t kMaxProgramBytes = uint64_t{2} << 30;

// Skips white space and the comments that start with `comment`.
std::string_view SkipBlank(std::string_view text, std::string_view comment) {
  for (;;) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text[0]))) {
      text.remove_prefix(1);
    }
    if (text.substr(0, comment.size()) != comment) return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

// Whether `text` begins with the keyword: not with a longer name.
bool BeginsWith(std::string_view text, std::string_view keyword) {
  if (text.substr(0, keyword.size()) != keyword) return false;
  if (text.size() == keyword.size()) return true;
  const unsigned char next = static_cast<unsigned char>(text[keyword.size()]);
  return !std::isalnum(next) && next != '_' && next != ':';
}

// Whether `text` begins as MLIR's alias definitions do: `#loc1 = ...`, `!t = ...`.
bool BeginsWithAlias(std::string_view text) {
  if (text.empty() || (text[0] != '#' && text[0] != '!')) return false;
  size_t at = 1;
  while (at < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) {
    ++at;
  }
  return at > 1 && text.substr(at, 3) == " = ";
}

std::string_view AsText(const std::vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

absl::StatusOr<std::vector<std::string>> PtxFilesOf(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  fs::directory_iterator it(path, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    if (it->path().extension() == ".ptx") files.push_back(it->path().string());
  }
  if (error) {
    return absl::UnavailableError(
        absl::StrCat(path, ": cannot read the folder: ", error.message()));
  }
  if (files.empty()) {
    return absl::NotFoundError(
        absl::StrCat(path, ": expected PTX files (*.ptx), found none"));
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A module as an executable for this process.
absl::StatusOr<CompilerOutput> Compile(const std::string& name, const std::string& folder,
                                       std::string_view module) {
  const absl::StatusOr<CompilerLibrary> compiler = CompilerLibrary::Load();
  if (!compiler.ok()) {
    return Annotate(compiler.status(), absl::StrCat(name, ": found MLIR"));
  }
  ExportRequest request;
  request.base_folder = folder;
  return compiler->Export(name, module, request);
}

}  // namespace

ContentKind RecogniseContent(std::string_view bytes) {
  if (bytes.substr(0, 4) == "ML\xefR") return ContentKind::kMlirBytecode;
  const std::string_view text = SkipBlank(bytes, "//");
  if (BeginsWithAlias(text)) return ContentKind::kMlirText;
  for (std::string_view keyword : {"module", "builtin.module", "\"builtin.module\"",
                                   "func.func", "\"func.func\"", "thunky.kernel_code"}) {
    if (BeginsWith(text, keyword)) return ContentKind::kMlirText;
  }
  return BeginsWith(text, ".version") ? ContentKind::kPtx : ContentKind::kExecutable;
}

std::string_view ContentKindName(ContentKind kind) {
  switch (kind) {
    case ContentKind::kExecutable:
      return "an executable";
    case ContentKind::kMlirText:
      return "MLIR text";
    case ContentKind::kMlirBytecode:
      return "MLIR bytecode";
    case ContentKind::kPtx:
      return "PTX";
  }
  return "an executable";
}

FileContent ContentOf(std::vector<uint8_t> bytes) {
  const ContentKind kind = RecogniseContent(AsText(bytes));
  return {.kind = kind, .bytes = std::move(bytes)};
}

absl::StatusOr<FileContent> ReadContent(const std::string& path) {
  ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, ReadFile(path, kMaxProgramBytes));
  return ContentOf(std::move(bytes));
}

absl::StatusOr<ExecutableBytes> ToExecutable(FileContent content, const std::string& name,
                                             const std::string& folder) {
  if (content.kind == ContentKind::kPtx) {
    return absl::InvalidArgumentError(absl::StrCat(
        name,
        ": expected an executable, a proto or a module, found PTX: see 'thunky launch' "
        "and 'thunky kernels'"));
  }
  ExecutableBytes executable;
  executable.notes.kind = content.kind;
  if (!IsMlir(content.kind)) {
    executable.bytes = std::move(content.bytes);
    return executable;
  }
  ASSIGN_OR_RETURN(CompilerOutput compiled, Compile(name, folder, content.text()));
  executable.bytes.assign(compiled.bytes.begin(), compiled.bytes.end());
  executable.notes.warnings = std::move(compiled.warnings);
  return executable;
}

absl::StatusOr<ExecutableFile> ReadProgram(const std::string& path,
                                           const ReadLimits& limits, ReadNotes* notes) {
  ASSIGN_OR_RETURN(FileContent content, ReadContent(path));
  const uint64_t file_size = content.bytes.size();
  const std::string folder = fs::path(path).parent_path().string();
  ASSIGN_OR_RETURN(ExecutableBytes executable,
                   ToExecutable(std::move(content), path, folder));
  // Also of a program that turns out to be wrong.
  if (notes != nullptr) *notes = std::move(executable.notes);
  absl::StatusOr<ExecutableFile> file =
      ReadExecutableFile(AsText(executable.bytes), limits);
  if (!file.ok()) return Annotate(file.status(), path);
  file->sizes.file = file_size;
  return file;
}

absl::StatusOr<std::vector<NamedText>> ReadKernelTexts(
    const std::vector<std::string>& paths) {
  std::vector<NamedText> texts;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const std::vector<std::string> files, PtxFilesOf(path));
    for (const std::string& file : files) {
      ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes,
                       ReadFile(file, kMaxProgramBytes));
      texts.push_back({file, std::string(AsText(bytes))});
    }
  }
  return texts;
}

absl::StatusOr<code::PtxLibrary> ReadKernelFiles(const std::vector<std::string>& paths) {
  ASSIGN_OR_RETURN(std::vector<NamedText> texts, ReadKernelTexts(paths));
  code::PtxLibrary library;
  for (NamedText& text : texts) {
    RETURN_IF_ERROR(library.Add(text.name, std::move(text.text)));
  }
  return library;
}

}  // namespace thunky::tooling
