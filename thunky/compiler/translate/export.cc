#include "thunky/compiler/translate/export.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/translate/origin_program.h"
#include "thunky/compiler/translate/own_program.h"
#include "thunky/compiler/translate/program_lowering.h"
#include "thunky/compiler/translate/program_parts.h"
#include "thunky/schema/executable_rules.h"
#include "thunky/schema/jax_constants.h"
#include "thunky/schema/jax_parts.h"
#include "thunky/schema/jax_program.h"
#include "thunky/schema/jax_target.h"

namespace thunky::compiler {
namespace {

// "sm_90a" of a compute capability.
std::string architectureOf(const wire::CudaComputeCapabilityProto& capability) {
  std::string name =
      "sm_" + std::to_string(capability.major()) + std::to_string(capability.minor());
  switch (capability.feature_extension()) {
    case wire::CudaComputeCapabilityProto::ACCELERATED_FEATURES:
      return name + "a";
    case wire::CudaComputeCapabilityProto::FAMILY_COMPATIBLE_FEATURES:
      return name + "f";
    default:
      return name;
  }
}

class Exporter {
 public:
  Exporter(mlir::ModuleOp module, const ExportOptions& options, bool complete)
      : module_(module), options_(options), complete_(complete) {}

  mlir::FailureOr<ExecutableFile> run() {
    const mlir::FailureOr<ProgramParts> parts = takeApart(module_);
    if (mlir::failed(parts)) return mlir::failure();
    if (mlir::failed(module_->hasAttr(kOrigin) ? restore(*parts) : describe(*parts)) ||
        mlir::failed(lower(*parts))) {
      return mlir::failure();
    }
    const absl::Status verified =
        schema::VerifyExecutable(file_.executable, schema::UnknownKinds::kAllow);
    if (!verified.ok()) return fail(verified);
    file_.name = file_.executable.module_name();
    if (!complete_) {
      file_.kind = ExecutableKind::kBinaryProto;
      return std::move(file_);
    }
    if (mlir::failed(complete())) return mlir::failure();
    return std::move(file_);
  }

 private:
  mlir::LogicalResult fail(const absl::Status& status) {
    return module_.emitError(std::string(status.message()));
  }

  llvm::LogicalResult restore(const ProgramParts& parts) {
    mlir::FailureOr<wire::ModuleOriginProto> origin = readOrigin(module_);
    if (mlir::failed(origin) ||
        mlir::failed(restoreOrigin(*origin, parts, file_.executable))) {
      return mlir::failure();
    }
    file_.metadata_bytes = std::move(*origin->mutable_metadata());
    if (origin->has_options()) file_.options = std::move(*origin->mutable_options());
    // Any other executable is for the GPU that it was compiled for.
    return file_.executable.has_hlo_module_with_config() ? mlir::success() : readTarget();
  }

  llvm::LogicalResult describe(const ProgramParts& parts) {
    if (mlir::failed(readTarget())) return mlir::failure();
    return describeProgram(parts, file_.executable);
  }

  // What the caller or the module says, if one does.
  llvm::LogicalResult readTarget() {
    std::string capability = options_.computeCapability;
    if (capability.empty()) {
      if (auto given = module_->getAttrOfType<mlir::StringAttr>(kComputeCapability)) {
        capability = given.getValue().str();
      }
    }
    if (!capability.empty()) {
      absl::StatusOr<schema::JaxTarget> target = schema::JaxTargetOf(capability);
      if (!target.ok()) return fail(target.status());
      target_ = *std::move(target);
    }
    return mlir::success();
  }

  std::string architecture() const {
    if (target_.has_value()) return architectureOf(target_->compute_capability);
    const wire::GpuComputeCapabilityProto& capability =
        file_.executable.gpu_compute_capability();
    return capability.has_cuda_compute_capability()
               ? architectureOf(capability.cuda_compute_capability())
               : "";
  }

  llvm::LogicalResult lower(const ProgramParts& parts) {
    const bool table = options_.code == CodePlacement::kTable;
    CodeExporter code(module_, options_.code, architecture());
    ProgramLowering lowering(code, table);
    mlir::func::FuncOp main = parts.main;
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      lowering.setAllocation(main.getArgument(i), parts.argumentAllocations[i]);
    }
    for (size_t j = 0; j < parts.constants.size(); ++j) {
      ConstantOp constant = parts.constants[j].op;
      lowering.setAllocation(constant.getResult(), parts.constants[j].allocation);
    }
    if (mlir::failed(lowering.lower(main, *file_.executable.mutable_thunks()))) {
      return mlir::failure();
    }
    // Other readers know nothing of this.
    if (!table) file_.executable.clear_thunky();
    code.finish(file_.executable);
    if (table) {
      // Every kernel has its own code, and constants their content.
      file_.executable.clear_binary();
      file_.executable.clear_asm_text();
      return mlir::success();
    }
    // Programs without an HLO module keep constants inline until they are completed.
    if (!file_.executable.has_hlo_module_with_config()) return mlir::success();
    const absl::Status placed = schema::ReplaceConstants(&file_.executable);
    return placed.ok() ? mlir::success() : fail(placed);
  }

  llvm::LogicalResult complete() {
    if (file_.executable.has_hlo_module_with_config()) {
      file_.kind = ExecutableKind::kComplete;
      if (!file_.metadata_bytes.empty() && file_.options.has_value()) {
        return mlir::success();
      }
      const absl::Status added = schema::AddPartsForJax(&file_);
      return added.ok() ? mlir::success() : withoutParts(added);
    }
    const bool imported = module_->hasAttr(kOrigin);
    if (imported && !target_.has_value()) {
      absl::StatusOr<schema::JaxTarget> target = schema::JaxTargetOf(file_.executable);
      if (!target.ok()) return withoutParts(target.status());
      target_ = *std::move(target);
    }
    if (!target_.has_value()) {
      return module_.emitError(
                 "has no target: a complete file is for a GPU of a compute "
                 "capability, such as 9.0a; give it or set the module's ")
             << kComputeCapability;
    }
    absl::StatusOr<ExecutableFile> file =
        schema::CompleteForJax(file_.executable, *target_);
    if (!file.ok()) return imported ? withoutParts(file.status()) : fail(file.status());
    file_ = *std::move(file);
    return mlir::success();
  }

  mlir::LogicalResult withoutParts(const absl::Status& status) {
    return module_.emitError(
               "was imported from an executable without all that a complete file has, "
               "and "
               "what is missing does not follow from the rest: ")
           << std::string(status.message());
  }

  mlir::ModuleOp module_;
  const ExportOptions& options_;
  bool complete_;
  std::optional<schema::JaxTarget> target_;
  ExecutableFile file_;
};

}  // namespace

mlir::FailureOr<ExecutableFile> exportModule(mlir::ModuleOp module,
                                             const ExportOptions& options,
                                             bool complete) {
  return Exporter(module, options, complete).run();
}

}  // namespace thunky::compiler
