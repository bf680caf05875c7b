// Programs from files, and into files.
#include <utility>

#include "thunky/code/ptx_library.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/transforms/attach_kernels.h"
#include "thunky/compiler/translate/export.h"
#include "thunky/compiler/translate/import.h"
#include "thunky/compiler/translate/program_parts.h"
#include "thunky/container/executable_file.h"
#include "thunky/container/executable_writer.h"
#include "thunky/frontend/diagnostics.h"
#include "thunky/frontend/lowering.h"
#include "thunky/frontend/program.h"
#include "thunky/frontend/program_content.h"
#include "thunky/frontend/status.h"
#include "thunky/tooling/files.h"
#include "thunky/tooling/program_file.h"

namespace thunky {
namespace {

using frontend::Module;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A file or bytes on their way to a module.
class Reader {
 public:
  Reader(const std::string& name, const LoadOptions& options, const SourceLocation& where)
      : name_(name),
        options_(options),
        where_(where),
        context_(Module::make_context(where)),
        diagnostics_(std::make_unique<frontend::Diagnostics>(context_.get())) {}

  // `folder` is where the files are that a module names.
  Program read(std::string_view bytes, const std::string& folder) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        tooling::IsMlir(tooling::RecogniseContent(bytes)) ? read_module(bytes, folder)
                                                          : import(bytes);
    attach(*module);
    diagnostics_.reset();
    std::string name = program_name_;
    if (name.empty()) name = module->getSymName().value_or("").str();
    if (name.empty()) name = std::filesystem::path(name_).stem().string();
    return frontend::ProgramAccess::make(
        std::move(name), SourceLocation(),
        std::make_shared<Module>(std::move(context_), std::move(module)));
  }

 private:
  [[noreturn]] void fail() { diagnostics_->fail(ErrorCode::invalid_argument, where_); }

  mlir::OwningOpRef<mlir::ModuleOp> read_module(std::string_view bytes,
                                                const std::string& folder) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        compiler::readModule(context_.get(), name_, llvm::StringRef(bytes));
    if (!module || mlir::failed(compiler::readCodeFiles(*module, folder)) ||
        mlir::failed(compiler::takeApart(*module))) {
      fail();
    }
    return module;
  }

  mlir::OwningOpRef<mlir::ModuleOp> import(std::string_view bytes) {
    ReadLimits limits;
    limits.max_decoded_bytes = options_.max_decoded_bytes;
    absl::StatusOr<ExecutableFile> file = ReadExecutableFile(bytes, limits);
    if (!file.ok()) frontend::fail(file.status(), name_, where_);
    program_name_ = file->name;
    mlir::OwningOpRef<mlir::ModuleOp> module =
        compiler::importExecutable(context_.get(), name_, *std::move(file));
    if (!module) fail();
    return module;
  }

  void attach(mlir::ModuleOp module) {
    if (options_.kernels.empty()) return;
    std::vector<std::string> paths(options_.kernels.begin(), options_.kernels.end());
    absl::StatusOr<code::PtxLibrary> library = tooling::ReadKernelFiles(paths);
    if (!library.ok()) frontend::fail(library.status(), "", where_);
    if (mlir::failed(compiler::attachKernels(module, *library))) fail();
  }

  const std::string& name_;
  const LoadOptions& options_;
  const SourceLocation& where_;
  std::string program_name_;  // what an executable calls itself
  std::unique_ptr<mlir::MLIRContext> context_;
  std::unique_ptr<frontend::Diagnostics> diagnostics_;
};

FileFormat format_of(const std::filesystem::path& path, const SaveOptions& options,
                     const SourceLocation& where) {
  if (options.format) {
    if (*options.format <= FileFormat::kJax) return *options.format;
    throw Error(ErrorCode::invalid_argument,
                path.string() + ": there is no format number " +
                    std::to_string(static_cast<int>(*options.format)),
                where);
  }
  const std::string ending = path.extension().string();
  if (ending == ".mlir") return FileFormat::kModuleText;
  if (ending == ".mlirbc") return FileFormat::kModuleBytecode;
  if (ending == ".thunky") return FileFormat::kExecutable;
  throw Error(ErrorCode::invalid_argument,
              path.string() + ": the ending '" + ending +
                  "' names no format; .mlir, .mlirbc and .thunky do, and "
                  "SaveOptions::format takes any",
              where);
}

}  // namespace

Program Program::load(const std::filesystem::path& path, const LoadOptions& options,
                      const std::source_location& where) {
  const SourceLocation place = where;
  const std::string name = path.string();
  const absl::StatusOr<tooling::FileContent> file = tooling::ReadContent(name);
  if (!file.ok()) frontend::fail(file.status(), "", place);
  return Reader(name, options, place).read(file->text(), path.parent_path().string());
}

Program Program::from_bytes(std::string_view bytes, const std::string& name,
                            const LoadOptions& options,
                            const std::source_location& where) {
  const SourceLocation place = where;
  return Reader(name, options, place).read(bytes, "");
}

Program Program::from_executable(const Executable& executable,
                                 const std::source_location& where) {
  const SourceLocation place = where;
  return Reader(executable.name(), executable.load_options(), place)
      .read(text_of(executable.bytes()), "");
}

std::string Program::module_text(bool elide) const {
  const std::lock_guard<std::mutex> lock(content_->module->mutex());
  return compiler::writeText(content_->module->module(), elide);
}

void Program::save(const std::filesystem::path& path, const SaveOptions& options,
                   const std::source_location& where) const {
  const SourceLocation place = where;
  std::string bytes;
  switch (format_of(path, options, place)) {
    case FileFormat::kModuleText:
      bytes = module_text(/*elide=*/false);
      break;
    case FileFormat::kModuleBytecode:
      bytes = content_->module->bytecode();
      break;
    case FileFormat::kExecutable:
      bytes = frontend::lower_to_bytes(*this, {}, place);
      break;
    case FileFormat::kJax:
      bytes = frontend::lower_for_jax(*this, options, place);
      break;
  }
  const absl::Status written = tooling::WriteFile(
      path.string(), {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  if (!written.ok()) frontend::fail(written, "", place);
}

}  // namespace thunky
