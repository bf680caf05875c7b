#include "thunky/tooling/compiler_library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "thunky/base/status_macros.h"

namespace thunky::tooling {
namespace {

namespace fs = std::filesystem;

constexpr char kLibrary[] = "libthunky_compiler.so";
constexpr char kVariable[] = "THUNKY_COMPILER_LIBRARY";

#ifdef THUNKY_HAS_COMPILER
constexpr bool kHasCompiler = true;
#else
constexpr bool kHasCompiler = false;
#endif

// What the loader said of its last failure.
std::string LoaderMessage() {
  const char* message = dlerror();
  return message == nullptr ? "the loader does not say why" : message;
}

// Null on failure. RTLD_LOCAL: symbols of LLVM are nobody else's business.
void* Open(const std::string& path) {
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// The shared library that this code is in; empty when it is part of the program, or when
// the loader knows it by a relative path, which may mean something else by now.
fs::path OwnLibrary() {
  static const char here = 0;
  Dl_info info = {};
  link_map* object = nullptr;
  if (dladdr1(&here, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0 ||
      object == nullptr || object->l_name == nullptr) {
    return {};
  }
  fs::path path(object->l_name);  // empty for the program itself
  return path.is_absolute() ? path : fs::path();
}

// ../lib beside this program, then beside the library that this code is in.
std::vector<std::string> OwnPlaces() {
  std::vector<std::string> places;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    places.push_back((program.parent_path().parent_path() / "lib" / kLibrary).string());
  }
  const fs::path library = OwnLibrary();
  if (library.empty()) return places;
  std::string place = (library.parent_path() / kLibrary).string();
  if (places.empty() || places[0] != place) places.push_back(std::move(place));
  return places;
}

template <typename Function>
absl::Status Find(void* handle, const std::string& path, const char* name,
                  Function* function) {
  // dlsym answers with an object pointer; POSIX says that it can be a function's.
  *function = reinterpret_cast<Function>(dlsym(handle, name));
  if (*function != nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      path, ": expected thunky's compiler, found a library without '", name, "'"));
}

thunky_bytes Borrow(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

std::string Copy(thunky_bytes bytes) {
  return bytes.size == 0 ? "" : std::string(bytes.data, bytes.size);
}

std::vector<thunky_file> Borrow(absl::Span<const NamedText> files) {
  std::vector<thunky_file> borrowed;
  for (const NamedText& file : files) {
    borrowed.push_back({file.name.c_str(), Borrow(file.text)});
  }
  return borrowed;
}

const char* NullWhenEmpty(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

}  // namespace

absl::StatusOr<CompilerLibrary> CompilerLibrary::Load() {
  if (const char* chosen = std::getenv(kVariable)) {
    auto library = LoadFrom(chosen);
    if (!library.ok()) return Annotate(library.status(), absl::StrCat("$", kVariable));
    return library;
  }
  if (!kHasCompiler) {
    return absl::UnimplementedError(
        "this build has no compiler; the full build does (it needs MLIR)");
  }
  const std::vector<std::string> places = OwnPlaces();
  for (const std::string& place : places) {
    std::error_code error;
    if (fs::exists(place, error)) return LoadFrom(place);
  }
  void* handle = Open(kLibrary);
  if (handle != nullptr) return Bind(handle, kLibrary);
  return absl::NotFoundError(absl::StrCat(
      "expected the compiler library ", kLibrary, " at ", absl::StrJoin(places, ", "),
      " or where the loader finds it, found none (", LoaderMessage(), "); $", kVariable,
      " can say where it is"));
}

absl::StatusOr<CompilerLibrary> CompilerLibrary::LoadFrom(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    return absl::NotFoundError(
        absl::StrCat("expected the compiler library at '", path, "', found nothing"));
  }
  // A name without a slash is searched for elsewhere.
  void* handle = Open(fs::absolute(path).string());
  if (handle == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("the compiler library cannot be loaded: ", LoaderMessage()));
  }
  return Bind(handle, path);
}

absl::StatusOr<CompilerLibrary> CompilerLibrary::Bind(void* handle,
                                                      const std::string& path) {
  CompilerLibrary library;
  library.path_ = path;
  Functions& f = library.functions_;
  // The version first: another one may have other functions.
  RETURN_IF_ERROR(Find(handle, path, "thunky_compiler_abi_version", &f.abi_version));
  const uint32_t version = f.abi_version();
  if (version != THUNKY_COMPILER_ABI_VERSION) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": expected version ", THUNKY_COMPILER_ABI_VERSION,
                     " of the compiler's interface, found version ", version,
                     ": program and library are of different builds"));
  }
  RETURN_IF_ERROR(Find(handle, path, "thunky_compiler_llvm_version", &f.llvm_version));
  RETURN_IF_ERROR(Find(handle, path, "thunky_compiler_import", &f.import_executable));
  RETURN_IF_ERROR(Find(handle, path, "thunky_compiler_export", &f.export_module));
  RETURN_IF_ERROR(Find(handle, path, "thunky_compiler_check", &f.check_program));
  RETURN_IF_ERROR(Find(handle, path, "thunky_result_ok", &f.result_ok));
  RETURN_IF_ERROR(Find(handle, path, "thunky_result_output", &f.result_output));
  RETURN_IF_ERROR(Find(handle, path, "thunky_result_diagnostics", &f.result_diagnostics));
  RETURN_IF_ERROR(Find(handle, path, "thunky_result_free", &f.result_free));
  return library;
}

std::string CompilerLibrary::llvm_version() const { return functions_.llvm_version(); }

absl::StatusOr<CompilerOutput> CompilerLibrary::Import(
    const std::string& name, std::string_view executable,
    const ImportRequest& request) const {
  const std::vector<thunky_file> kernels = Borrow(request.kernels);
  const thunky_import_options options = {.format = request.format,
                                         .kernels = kernels.data(),
                                         .kernel_count = kernels.size(),
                                         .max_decoded_bytes = request.max_decoded_bytes};
  return Take(functions_.import_executable({name.c_str(), Borrow(executable)}, &options));
}

absl::StatusOr<CompilerOutput> CompilerLibrary::Export(
    const std::string& name, std::string_view module,
    const ExportRequest& request) const {
  const std::vector<thunky_file> kernels = Borrow(request.kernels);
  const thunky_export_options options = {
      .form = request.form,
      .code = request.code,
      .compute_capability = NullWhenEmpty(request.compute_capability),
      .base_folder = NullWhenEmpty(request.base_folder),
      .kernels = kernels.data(),
      .kernel_count = kernels.size()};
  return Take(functions_.export_module({name.c_str(), Borrow(module)}, &options));
}

absl::StatusOr<CompilerOutput> CompilerLibrary::Check(const std::string& name,
                                                      std::string_view program,
                                                      const CheckRequest& request) const {
  const std::vector<thunky_file> kernels = Borrow(request.kernels);
  const thunky_check_options options = {.executable = request.executable ? 1 : 0,
                                        .base_folder = NullWhenEmpty(request.base_folder),
                                        .kernels = kernels.data(),
                                        .kernel_count = kernels.size(),
                                        .max_decoded_bytes = request.max_decoded_bytes};
  return Take(functions_.check_program({name.c_str(), Borrow(program)}, &options));
}

absl::StatusOr<CompilerOutput> CompilerLibrary::Take(thunky_result* result) const {
  if (result == nullptr) {
    return absl::InternalError(absl::StrCat(path_, ": the call has no result"));
  }
  const std::unique_ptr<thunky_result, decltype(functions_.result_free)> owner(
      result, functions_.result_free);
  const std::string diagnostics = Copy(functions_.result_diagnostics(result));
  const std::vector<std::string> lines =
      absl::StrSplit(diagnostics, '\n', absl::SkipEmpty());
  if (functions_.result_ok(result) == 0) {
    if (lines.empty()) {
      return absl::InternalError(
          absl::StrCat(path_, ": the call failed and does not say why"));
    }
    return absl::InvalidArgumentError(
        absl::string_view(diagnostics).substr(0, diagnostics.find_last_not_of('\n') + 1));
  }
  return CompilerOutput{.bytes = Copy(functions_.result_output(result)),
                        .warnings = lines};
}

}  // namespace thunky::tooling
