// Programs and the PTX that goes with them, from the file system.
#ifndef THUNKY_TOOLING_PROGRAM_FILE_H_
#define THUNKY_TOOLING_PROGRAM_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/code/ptx_library.h"
#include "thunky/container/executable_file.h"

namespace thunky::tooling {

// What the first bytes of a file say that it is.
enum class ContentKind { kExecutable, kMlirText, kMlirBytecode, kPtx };
ContentKind RecogniseContent(std::string_view bytes);

// Reads an executable or a bare proto. Errors begin with the path. Unimplemented
// for MLIR, which this build does not read; InvalidArgument for PTX.
absl::StatusOr<ExecutableFile> ReadProgram(const std::string& path,
                                           const ReadLimits& limits);

// Every path is a PTX file, or a folder whose *.ptx files are taken in the order
// of their names (a folder without one is an error). Errors begin with the path.
absl::StatusOr<code::PtxLibrary> ReadKernelFiles(const std::vector<std::string>& paths);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_PROGRAM_FILE_H_
