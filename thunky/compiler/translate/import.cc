#include "thunky/compiler/translate/import.h"

#include <map>
#include <utility>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "proto/module_origin.pb.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/constant_value.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/code_importer.h"
#include "thunky/compiler/translate/origin_program.h"
#include "thunky/compiler/translate/program_arguments.h"
#include "thunky/compiler/translate/thunk_importer.h"
#include "thunky/schema/constants.h"
#include "thunky/schema/executable_rules.h"

namespace thunky::compiler {
namespace {

class ModuleImporter {
 public:
  ModuleImporter(mlir::MLIRContext* context, llvm::StringRef name, ExecutableFile file)
      : builder_(context),
        location_(mlir::NameLoc::get(builder_.getStringAttr(name))),
        file_(std::move(file)) {}

  mlir::OwningOpRef<mlir::ModuleOp> import() {
    constexpr schema::UnknownKinds kAllow = schema::UnknownKinds::kAllow;
    const absl::Status verified = schema::VerifyExecutable(file_.executable, kAllow);
    if (!verified.ok()) return fail(verified);
    absl::StatusOr<schema::Signature> signature =
        schema::SignatureOf(file_.executable, kAllow);
    if (!signature.ok()) return fail(signature.status());
    absl::StatusOr<std::vector<schema::Constant>> constants =
        schema::ConstantsOf(file_.executable);
    if (!constants.ok()) return fail(constants.status());

    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(location_);
    CodeImporter code(*module, file_.executable);
    const std::vector<ProgramArgument> arguments =
        argumentsOf(builder_.getContext(), *signature);
    mlir::func::FuncOp main = addMain(*module, arguments);
    std::map<int64_t, mlir::Value> buffers;
    for (const auto& [argument, value] :
         llvm::zip_equal(arguments, main.getArguments())) {
      if (argument.allocation.has_value()) buffers[*argument.allocation] = value;
    }
    const std::vector<mlir::Value> constantValues =
        addConstants(*std::move(constants), buffers);
    keepAllocations_ = signature->unknown_accesses;
    if (keepAllocations_) addCopiedResults(arguments, main, buffers);
    ThunkImporter importer(builder_, code, std::move(buffers));
    if (mlir::failed(importer.importThunks(*file_.executable.mutable_thunks()))) {
      return nullptr;
    }
    copyConstantResults(arguments, constantValues, main);
    mlir::func::ReturnOp::create(builder_, builder_.getUnknownLoc());
    if (mlir::failed(addOrigin(*module, main)) || mlir::failed(mlir::verify(*module))) {
      return nullptr;
    }
    return module;
  }

 private:
  std::nullptr_t fail(const absl::Status& status) {
    mlir::emitError(location_) << std::string(status.message());
    return nullptr;
  }

  mlir::func::FuncOp addMain(mlir::ModuleOp module,
                             const std::vector<ProgramArgument>& arguments) {
    llvm::SmallVector<mlir::Type> types;
    llvm::SmallVector<mlir::DictionaryAttr> attributes;
    for (const ProgramArgument& argument : arguments) {
      types.push_back(BufferType::get(builder_.getContext(), argument.size));
      attributes.push_back(argument.attributes);
    }
    builder_.setInsertionPointToEnd(module.getBody());
    auto main = mlir::func::FuncOp::create(builder_, builder_.getUnknownLoc(), "main",
                                           builder_.getFunctionType(types, {}));
    main.setAllArgAttrs(attributes);
    builder_.setInsertionPointToEnd(main.addEntryBlock());
    return main;
  }

  // One value for each constant of the executable; null for one in no allocation.
  std::vector<mlir::Value> addConstants(std::vector<schema::Constant> constants,
                                        std::map<int64_t, mlir::Value>& buffers) {
    std::vector<mlir::Value> values;
    for (schema::Constant& constant : constants) {
      values.emplace_back();
      if (constant.allocation < 0) continue;
      const mlir::Attribute value =
          constantValue(builder_.getContext(), constant.name, std::move(constant.bytes));
      auto op = ConstantOp::create(builder_, builder_.getUnknownLoc(),
                                   BufferType::get(builder_.getContext(), constant.size),
                                   value, builder_.getStringAttr(constant.name));
      op->setAttr(kOriginAllocation, builder_.getI64IntegerAttr(constant.allocation));
      buffers[constant.allocation] = op.getResult();
      values.back() = op.getResult();
    }
    return values;
  }

  // Results that are copies of constants get the allocations after all others.
  static void addCopiedResults(const std::vector<ProgramArgument>& arguments,
                               mlir::func::FuncOp main,
                               std::map<int64_t, mlir::Value>& buffers) {
    int64_t next = buffers.empty() ? 0 : buffers.rbegin()->first + 1;
    for (const auto& [argument, value] :
         llvm::zip_equal(arguments, main.getArguments())) {
      if (!argument.allocation.has_value()) buffers[next++] = value;
    }
  }

  void copyConstantResults(const std::vector<ProgramArgument>& arguments,
                           const std::vector<mlir::Value>& constants,
                           mlir::func::FuncOp main) {
    for (const auto& [argument, value] :
         llvm::zip_equal(arguments, main.getArguments())) {
      if (!argument.constant.has_value()) continue;
      auto copy = CopyOp::create(builder_, builder_.getUnknownLoc(),
                                 constants[*argument.constant], value, mlir::UnitAttr(),
                                 nullptr, nullptr);
      copy->setAttr(kAnnotation, builder_.getStringAttr(""));
    }
  }

  // Keeps everything that no operation says. Allocations are numbered as export numbers
  // them, so that a module does not depend on the numbers of the file it came from.
  llvm::LogicalResult addOrigin(mlir::ModuleOp module, mlir::func::FuncOp main) {
    file_.executable.clear_thunks();
    wire::ModuleOriginProto old;
    *old.mutable_executable() = std::move(file_.executable);
    ProgramParts parts;
    parts.main = main;
    parts.keepAllocations = keepAllocations_;
    for (const mlir::Type type : main.getArgumentTypes()) {
      parts.argumentSizes.push_back(llvm::cast<BufferType>(type).getSize());
    }
    for (auto op : main.getOps<ConstantOp>()) {
      const auto allocation = op->getAttrOfType<mlir::IntegerAttr>(kOriginAllocation);
      parts.constants.push_back({op, op.getResult().getType().getSize(),
                                 op.getName()->str(), "", allocation.getInt()});
    }
    numberAllocations(parts);
    wire::ModuleOriginProto origin;
    if (mlir::failed(restoreOrigin(old, parts, *origin.mutable_executable()))) {
      return mlir::failure();
    }
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      main.setArgAttr(i, kOriginAllocation,
                      builder_.getI64IntegerAttr(parts.argumentAllocations[i]));
    }
    for (auto& constant : *origin.mutable_executable()->mutable_constants()) {
      if (constant.allocation_index() >= 0) constant.clear_content();
    }
    for (size_t j = 0; j < parts.constants.size(); ++j) {
      parts.constants[j].op->setAttr(
          kOriginAllocation, builder_.getI64IntegerAttr(parts.constants[j].allocation));
    }
    *origin.mutable_metadata() = std::move(file_.metadata_bytes);
    if (file_.options.has_value()) *origin.mutable_options() = *std::move(file_.options);
    module->setAttr(kOrigin,
                    bytesResource(builder_.getContext(), "origin", bytesOf(origin)));
    if (keepAllocations_) module->setAttr(kKeepAllocations, builder_.getUnitAttr());
    module->setAttr(kVersion, builder_.getI64IntegerAttr(ThunkyDialect::kVersion));
    return mlir::success();
  }

  mlir::OpBuilder builder_;
  mlir::Location location_;
  ExecutableFile file_;
  bool keepAllocations_ = false;
};

}  // namespace

mlir::OwningOpRef<mlir::ModuleOp> importExecutable(mlir::MLIRContext* context,
                                                   llvm::StringRef name,
                                                   ExecutableFile file) {
  return ModuleImporter(context, name, std::move(file)).import();
}

}  // namespace thunky::compiler
