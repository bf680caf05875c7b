#include "thunky/interp/loader.h"

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/interp/kernel.h"
#include "thunky/interp/module_variables.h"
#include "thunky/ptx/lower.h"
#include "thunky/ptx/parser.h"

namespace thunky::interp {
namespace {

// A parsed PTX text and the variables it declares.
struct Module {
  std::shared_ptr<const std::string> text;
  ptx::ast::Module syntax;
  std::shared_ptr<ModuleVariables> variables = std::make_shared<ModuleVariables>();
};

// A kernel that keeps its module in the loader's cache.
class ModuleKernel : public hal::HostKernel {
 public:
  ModuleKernel(std::shared_ptr<const Module> module,
               std::shared_ptr<const InterpretedKernel> kernel)
      : module_(std::move(module)), kernel_(std::move(kernel)) {}
  const hal::KernelInfo& info() const override { return kernel_->info(); }
  absl::Status Launch(const hal::LaunchParams& params) const override {
    return kernel_->Launch(params);
  }

 private:
  std::shared_ptr<const Module> module_;
  std::shared_ptr<const InterpretedKernel> kernel_;
};

class InterpreterLoader : public hal::KernelLoader {
 public:
  std::string_view name() const override { return "interp"; }

  absl::StatusOr<std::shared_ptr<const hal::HostKernel>> Load(
      const hal::KernelSource& source) override {
    const std::string where =
        absl::StrCat("kernel '", source.entry, "'",
                     source.origin.empty() ? "" : absl::StrCat(" of ", source.origin));
    if (source.ptx == nullptr) {
      return absl::FailedPreconditionError(absl::StrCat(
          where, ": has no PTX", source.cubins.empty() ? "" : ", only binary code",
          "; the interpreter runs PTX"));
    }
    absl::StatusOr<std::shared_ptr<const hal::HostKernel>> kernel = LoadPtx(source);
    if (!kernel.ok()) return Annotate(kernel.status(), where);
    return kernel;
  }

 private:
  absl::StatusOr<std::shared_ptr<const hal::HostKernel>> LoadPtx(
      const hal::KernelSource& source) {
    ASSIGN_OR_RETURN(std::shared_ptr<const Module> module, ModuleOf(source.ptx));
    ASSIGN_OR_RETURN(ptx::ir::Program program,
                     ptx::LowerEntry(module->syntax, source.entry));
    ASSIGN_OR_RETURN(std::shared_ptr<const InterpretedKernel> kernel,
                     InterpretedKernel::Create(std::move(program), module->variables));
    return std::make_shared<ModuleKernel>(std::move(module), std::move(kernel));
  }

  absl::StatusOr<std::shared_ptr<const Module>> ModuleOf(
      const std::shared_ptr<const std::string>& text) {
    const size_t hash = std::hash<std::string>()(*text);
    const std::lock_guard<std::mutex> lock(mutex_);
    auto [first, last] = modules_.equal_range(hash);
    while (first != last) {
      const std::shared_ptr<const Module> module = first->second.lock();
      if (module == nullptr) {
        first = modules_.erase(first);
        continue;
      }
      if (*module->text == *text) return module;
      ++first;
    }
    auto module = std::make_shared<Module>();
    module->text = text;
    ASSIGN_OR_RETURN(module->syntax, ptx::ParseModule(*text));
    modules_.emplace(hash, module);
    return std::shared_ptr<const Module>(std::move(module));
  }

  std::mutex mutex_;
  std::multimap<size_t, std::weak_ptr<const Module>> modules_;  // by hash of the text
};

}  // namespace

std::unique_ptr<hal::KernelLoader> MakeInterpreterLoader() {
  return std::make_unique<InterpreterLoader>();
}

}  // namespace thunky::interp
