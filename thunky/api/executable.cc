#include "thunky/api/executable.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/api/error.h"
#include "thunky/api/executable_state.h"
#include "thunky/api/handles.h"
#include "thunky/api/loaded_state.h"
#include "thunky/api/status.h"
#include "thunky/base/status_macros.h"
#include "thunky/container/executable_file.h"
#include "thunky/tooling/files.h"
#include "thunky/tooling/program_file.h"

namespace thunky {
namespace {

absl::StatusOr<code::PtxLibrary> KernelsOf(const LoadOptions& options) {
  std::vector<std::string> paths;
  paths.reserve(options.kernels.size());
  for (const std::filesystem::path& path : options.kernels) {
    paths.push_back(path.string());
  }
  return tooling::ReadKernelFiles(paths);
}

// `folder` is that of files which a module names. Errors begin with `name`.
absl::StatusOr<std::shared_ptr<const api::ExecutableState>> Read(
    tooling::FileContent content, const std::string& name, const std::string& folder,
    const LoadOptions& options) {
  ASSIGN_OR_RETURN(const code::PtxLibrary kernels, KernelsOf(options));
  ASSIGN_OR_RETURN(tooling::ExecutableBytes executable,
                   tooling::ToExecutable(std::move(content), name, folder));
  const std::string_view bytes(reinterpret_cast<const char*>(executable.bytes.data()),
                               executable.bytes.size());
  absl::StatusOr<ExecutableFile> file =
      ReadExecutableFile(bytes, {.max_decoded_bytes = options.max_decoded_bytes});
  if (!file.ok()) return Annotate(file.status(), name);
  const std::string program_name = !file->name.empty() ? file->name : name;
  auto program = runtime::Executable::Load(file->executable,
                                           {.name = program_name, .kernels = &kernels});
  if (!program.ok()) return Annotate(program.status(), name);
  return std::make_shared<const api::ExecutableState>(
      std::move(executable.bytes), options, std::move(executable.notes.warnings),
      *std::move(program));
}

absl::StatusOr<std::shared_ptr<const api::ExecutableState>> ReadPath(
    const std::filesystem::path& path, const LoadOptions& options) {
  ASSIGN_OR_RETURN(tooling::FileContent content, tooling::ReadContent(path.string()));
  return Read(std::move(content), path.string(), path.parent_path().string(), options);
}

}  // namespace

Executable Executable::load(const std::filesystem::path& path, const LoadOptions& options,
                            const std::source_location& where) {
  return Executable(api::ValueOrThrow(ReadPath(path, options), where));
}

Executable Executable::from_bytes(std::span<const std::byte> bytes,
                                  const std::string& name, const LoadOptions& options,
                                  const std::source_location& where) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  return Executable(api::ValueOrThrow(
      Read(tooling::ContentOf(std::vector(data, data + bytes.size())), name, "", options),
      where));
}

std::span<const std::byte> Executable::bytes() const {
  return std::as_bytes(std::span(state_->bytes()));
}

void Executable::save(const std::filesystem::path& path,
                      const std::source_location& where) const {
  api::ThrowIfError(tooling::WriteFile(path.string(), state_->bytes()), where);
}

const LoadOptions& Executable::load_options() const { return state_->options(); }

const std::string& Executable::name() const { return state_->program()->name(); }

const std::vector<ArgumentInfo>& Executable::arguments() const {
  return state_->arguments();
}

int Executable::result_count() const {
  return static_cast<int>(state_->program()->signature().results.size());
}

const std::vector<std::string>& Executable::warnings() const {
  return state_->warnings();
}

LoadedExecutable Executable::compile(const Device& device,
                                     const std::source_location& where) const {
  auto program =
      runtime::LoadedExecutable::Prepare(state_->program(), api::Handles::HalOf(device));
  return api::Handles::Make<LoadedExecutable>(std::make_shared<const api::LoadedState>(
      state_, device, api::ValueOrThrow(std::move(program), where)));
}

}  // namespace thunky
