// Programs, the PTX that goes with them, and modules, from the file system.
#ifndef THUNKY_TOOLING_PROGRAM_FILE_H_
#define THUNKY_TOOLING_PROGRAM_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/code/ptx_library.h"
#include "thunky/container/executable_file.h"
#include "thunky/tooling/compiler_library.h"

namespace thunky::tooling {

// What the first bytes of a file say that it is.
enum class ContentKind { kExecutable, kMlirText, kMlirBytecode, kPtx };
ContentKind RecogniseContent(std::string_view bytes);

// "an executable", "MLIR text", "MLIR bytecode", "PTX".
std::string_view ContentKindName(ContentKind kind);
inline bool IsMlir(ContentKind kind) {
  return kind == ContentKind::kMlirText || kind == ContentKind::kMlirBytecode;
}

// A file as it is.
struct FileContent {
  ContentKind kind = ContentKind::kExecutable;
  std::vector<uint8_t> bytes;

  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};
// Errors begin with the path.
absl::StatusOr<FileContent> ReadContent(const std::string& path);
// Bytes of which the kind is not known yet.
FileContent ContentOf(std::vector<uint8_t> bytes);

// What there is to say of a file beside what is in it.
struct ReadNotes {
  ContentKind kind = ContentKind::kExecutable;
  std::vector<std::string> warnings;  // of the compiler, about a module
};

// The executable or proto that `content` is, or what the compiler library makes of the
// module that it is. `name` is for messages; files that a module names are looked for in
// `folder`, the current one when empty. Errors begin with the name; those of the library
// are in compiler_library.h. InvalidArgument for PTX. Bytecode is trusted input: what
// reads it does not stand up to damage.
struct ExecutableBytes {
  std::vector<uint8_t> bytes;
  ReadNotes notes;
};
absl::StatusOr<ExecutableBytes> ToExecutable(FileContent content, const std::string& name,
                                             const std::string& folder);

// Reads an executable, a bare proto, or a module, which the compiler library makes an
// executable of; files that a module names are looked for in its folder. `notes` may be
// null. Errors as ToExecutable, and those of reading; they begin with the path.
absl::StatusOr<ExecutableFile> ReadProgram(const std::string& path,
                                           const ReadLimits& limits,
                                           ReadNotes* notes = nullptr);

// Every path is a PTX file, or a folder whose *.ptx files are taken in the order
// of their names (a folder without one is an error). Errors begin with the path.
absl::StatusOr<std::vector<NamedText>> ReadKernelTexts(
    const std::vector<std::string>& paths);
// The same, parsed.
absl::StatusOr<code::PtxLibrary> ReadKernelFiles(const std::vector<std::string>& paths);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_PROGRAM_FILE_H_
