// The compiler, for programs that do without it until somebody gives them a module.
#ifndef THUNKY_TOOLING_COMPILER_LIBRARY_H_
#define THUNKY_TOOLING_COMPILER_LIBRARY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/capi/compiler.h"

namespace thunky::tooling {

// A file's name and what is in it.
struct NamedText {
  std::string name;
  std::string text;
};

struct ImportRequest {
  thunky_module_format format = THUNKY_MODULE_TEXT;
  absl::Span<const NamedText> kernels;  // PTX, attached by entry name
  uint64_t max_decoded_bytes = 0;       // 0: the library's default
};

struct ExportRequest {
  thunky_export_form form = THUNKY_EXPORT_RUNTIME;
  thunky_export_code code = THUNKY_EXPORT_CUBIN_FIRST;
  std::string compute_capability;  // "9.0a"; empty: the module's own
  std::string base_folder;         // of files that the module names; empty: the current
  absl::Span<const NamedText> kernels;
};

struct CheckRequest {
  bool executable = false;         // else a module
  std::string base_folder;         // as for ExportRequest
  uint64_t max_decoded_bytes = 0;  // as for ImportRequest
  absl::Span<const NamedText> kernels;
};

// What a call made, and what it had to say beside: lines of text.
struct CompilerOutput {
  std::string bytes;
  std::vector<std::string> warnings;
};

// libthunky_compiler.so, behind thunky/capi/compiler.h. Once loaded it stays until the
// process ends. Copies are the same library; calls may be made by any thread.
class CompilerLibrary {
 public:
  // The library that $THUNKY_COMPILER_LIBRARY names; without that variable the one in
  // ../lib beside the program, then beside the shared library that this code is in, else
  // the one that the system's loader finds. A build
  // without the compiler looks at the variable only.
  // Errors: Unimplemented in a build without the compiler; NotFound, saying where was
  // looked; FailedPrecondition for a file that is no such library, cannot be loaded, or
  // has another version of the interface.
  static absl::StatusOr<CompilerLibrary> Load();

  // A library at this place.
  static absl::StatusOr<CompilerLibrary> LoadFrom(const std::string& path);

  // Where it is from: a path, or the bare name that the loader knew.
  const std::string& path() const { return path_; }
  // "22.1.8"
  std::string llvm_version() const;

  // An executable becomes a module; `name` is for messages. Errors are the library's
  // diagnostics, which name the file and place in their first line.
  absl::StatusOr<CompilerOutput> Import(const std::string& name,
                                        std::string_view executable,
                                        const ImportRequest& request) const;
  // A module becomes an executable.
  absl::StatusOr<CompilerOutput> Export(const std::string& name, std::string_view module,
                                        const ExportRequest& request) const;
  // Looks for hazards; the answer is JSON, as docs/cli.md describes it for `check`, and
  // an error says that the program cannot be checked.
  absl::StatusOr<CompilerOutput> Check(const std::string& name, std::string_view program,
                                       const CheckRequest& request) const;

 private:
  // The functions of the interface.
  struct Functions {
    decltype(&thunky_compiler_abi_version) abi_version = nullptr;
    decltype(&thunky_compiler_llvm_version) llvm_version = nullptr;
    decltype(&thunky_compiler_import) import_executable = nullptr;
    decltype(&thunky_compiler_export) export_module = nullptr;
    decltype(&thunky_compiler_check) check_program = nullptr;
    decltype(&thunky_result_ok) result_ok = nullptr;
    decltype(&thunky_result_output) result_output = nullptr;
    decltype(&thunky_result_diagnostics) result_diagnostics = nullptr;
    decltype(&thunky_result_free) result_free = nullptr;
  };

  static absl::StatusOr<CompilerLibrary> Bind(void* handle, const std::string& path);
  // Takes the result over.
  absl::StatusOr<CompilerOutput> Take(thunky_result* result) const;

  std::string path_;
  Functions functions_;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMPILER_LIBRARY_H_
