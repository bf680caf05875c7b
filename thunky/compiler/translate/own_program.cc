#include "thunky/compiler/translate/own_program.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mlir/IR/Builders.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/shapes.h"
#include "thunky/compiler/translate/argument_effects.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::compiler {
namespace {

struct Role {
  bool parameter = false;
  bool result = false;
  bool scratch = false;
  int64_t parameterNumber = 0;
  int64_t resultNumber = 0;
};

class Describer {
 public:
  Describer(const ProgramParts& parts, wire::GpuExecutableProto& executable)
      : parts_(parts),
        main_(parts.main),
        executable_(executable),
        roles_(parts.argumentSizes.size()) {}

  llvm::LogicalResult describe() {
    assignRoles();
    if (mlir::failed(numberParameters()) || mlir::failed(numberResults()) ||
        mlir::failed(writeShapes())) {
      return mlir::failure();
    }
    auto module = llvm::cast<mlir::ModuleOp>(main_->getParentOp());
    executable_.set_module_name(module.getSymName().value_or("main").str());
    writeAllocations();
    writeOutputMap();
    writeOrder();
    for (size_t j = 0; j < parts_.constants.size(); ++j) {
      auto& info = *executable_.add_constants();
      info.set_symbol_name(parts_.constants[j].name);
      info.set_allocation_index(parts_.constants[j].allocation);
      info.mutable_content()->set_data(parts_.constants[j].bytes);
    }
    return mlir::success();
  }

 private:
  void assignRoles() {
    const std::vector<ArgumentEffect> effects = effectsOf(main_);
    for (unsigned i = 0; i < roles_.size(); ++i) {
      Role& role = roles_[i];
      role.scratch = main_.getArgAttr(i, kScratch) != nullptr;
      role.parameter = main_.getArgAttr(i, kParameter) != nullptr;
      role.result = main_.getArgAttr(i, kResults) != nullptr;
      if (role.scratch || role.parameter || role.result) continue;
      role.result = effects[i].written;
      role.parameter = !effects[i].overwritten;
    }
  }

  // Calls `number` with each argument that has the role, in order.
  llvm::LogicalResult numberParameters() {
    std::vector<bool> taken(roles_.size(), false);
    int64_t next = 0;
    const size_t given = llvm::count_if(
        llvm::seq<unsigned>(0, roles_.size()),
        [&](unsigned i) { return main_.getArgAttr(i, kParameter) != nullptr; });
    const size_t all =
        llvm::count_if(roles_, [](const Role& role) { return role.parameter; });
    if (given != 0 && given != all) {
      return main_.emitError("has ") << given << " arguments with " << kParameter
                                     << " of " << all << " parameters; all or none must "
                                     << "have it";
    }
    for (unsigned i = 0; i < roles_.size(); ++i) {
      if (!roles_[i].parameter) continue;
      if (main_.getArgAttr(i, kParameterIndex)) {
        return main_.emitError("argument ") << i << " has " << kParameterIndex
                                            << "; a program that was not imported has "
                                            << "no tuples among its parameters";
      }
      const auto number = main_.getArgAttrOfType<mlir::IntegerAttr>(i, kParameter);
      roles_[i].parameterNumber = number ? number.getInt() : next++;
      const int64_t value = roles_[i].parameterNumber;
      if (value < 0 || value >= static_cast<int64_t>(all) || taken[value]) {
        return main_.emitError("argument ") << i << " is parameter " << value << " of "
                                            << all << "; each number must be there once";
      }
      taken[value] = true;
      parameters_ = static_cast<int>(all);
    }
    return mlir::success();
  }

  llvm::LogicalResult numberResults() {
    const size_t given = llvm::count_if(
        llvm::seq<unsigned>(0, roles_.size()),
        [&](unsigned i) { return main_.getArgAttr(i, kResults) != nullptr; });
    const size_t all =
        llvm::count_if(roles_, [](const Role& role) { return role.result; });
    if (given != 0 && given != all) {
      return main_.emitError("has ") << given << " arguments with " << kResults << " of "
                                     << all << " results; all or none must have it";
    }
    results_ = static_cast<int>(all);
    std::vector<bool> taken(all, false);
    int64_t next = 0;
    for (unsigned i = 0; i < roles_.size(); ++i) {
      if (!roles_[i].result) continue;
      const auto paths = main_.getArgAttrOfType<mlir::ArrayAttr>(i, kResults);
      std::optional<int64_t> number = paths ? resultNumber(paths) : next++;
      if (!number.has_value() || *number < 0 || *number >= results_ || taken[*number]) {
        return main_.emitError("argument ")
               << i << " has " << kResults << " " << paths << "; with " << results_
               << " results, [array<i64>] alone or [array<i64: N>] is allowed, each "
               << "number once";
      }
      taken[*number] = true;
      roles_[i].resultNumber = *number;
    }
    return mlir::success();
  }

  // The empty path is the only result, any other one element of a tuple.
  std::optional<int64_t> resultNumber(mlir::ArrayAttr paths) const {
    if (paths.size() != 1) return std::nullopt;
    const auto path = llvm::cast<mlir::DenseI64ArrayAttr>(paths[0]).asArrayRef();
    if (results_ == 1 && path.empty()) return 0;
    if (results_ != 1 && path.size() == 1) return path[0];
    return std::nullopt;
  }

  llvm::LogicalResult writeShape(unsigned i, wire::ShapeProto& shape) {
    const int64_t size = parts_.argumentSizes[i];
    const auto type = main_.getArgAttrOfType<mlir::TypeAttr>(i, kType);
    const auto layout = main_.getArgAttrOfType<mlir::DenseI64ArrayAttr>(i, kLayout);
    if (!type) {
      if (layout) {
        return main_.emitError("argument ")
               << i << " has " << kLayout << " but no " << kType;
      }
      thunky::compiler::writeShape(wire::U8, size, shape);
      return mlir::success();
    }
    const auto tensor = llvm::cast<mlir::RankedTensorType>(type.getValue());
    mlir::Builder builder(main_.getContext());
    const ShapeList shapes(builder.getArrayAttr(type),
                           layout ? builder.getArrayAttr(layout) : mlir::ArrayAttr());
    if (mlir::failed(shapes.verify(main_, 1))) return mlir::failure();
    shapes.write(0, shape);
    const absl::StatusOr<schema::TensorType> array = schema::TensorTypeOf(shape);
    if (array.ok() && schema::ByteSize(*array) == size) return mlir::success();
    return main_.emitError("argument ")
           << i << " has type " << tensor << " in a buffer of " << size << " bytes";
  }

  llvm::LogicalResult writeShapes() {
    wire::ProgramShapeProto& program = *executable_.mutable_program_shape();
    for (int i = 0; i < parameters_; ++i) {
      program.add_parameters();
      program.add_parameter_names();
    }
    if (results_ != 1) {
      program.mutable_result()->set_element_type(wire::TUPLE);
      for (int i = 0; i < results_; ++i) program.mutable_result()->add_tuple_shapes();
    }
    for (unsigned i = 0; i < roles_.size(); ++i) {
      const Role& role = roles_[i];
      wire::ShapeProto shape;
      if (!role.parameter && !role.result) continue;
      if (mlir::failed(writeShape(i, shape))) return mlir::failure();
      if (role.parameter) {
        const int number = static_cast<int>(role.parameterNumber);
        *program.mutable_parameters(number) = shape;
        const auto name = main_.getArgAttrOfType<mlir::StringAttr>(i, kName);
        *program.mutable_parameter_names(number) =
            name ? name.getValue().str() : absl::StrCat("p", number);
      }
      if (!role.result) continue;
      (results_ == 1 ? *program.mutable_result()
                     : *program.mutable_result()->mutable_tuple_shapes(
                           static_cast<int>(role.resultNumber))) = shape;
    }
    return mlir::success();
  }

  void writeAllocations() {
    auto& list = *executable_.mutable_buffer_allocations()->mutable_values();
    for (unsigned i = 0; i < roles_.size(); ++i) {
      const Role& role = roles_[i];
      wire::BufferAllocationProto& allocation = *list.Add();
      allocation.set_index(i);
      allocation.set_size(parts_.argumentSizes[i]);
      allocation.set_is_entry_computation_parameter(role.parameter);
      if (role.parameter) allocation.set_parameter_number(role.parameterNumber);
      allocation.set_is_parameter_aliased_with_output(role.parameter && role.result);
      allocation.set_maybe_live_out(role.result);
    }
    for (size_t j = 0; j < parts_.constants.size(); ++j) {
      wire::BufferAllocationProto& allocation = *list.Add();
      allocation.set_index(parts_.constants[j].allocation);
      allocation.set_size(parts_.constants[j].size);
      allocation.set_is_constant(true);
    }
  }

  void writeOutputMap() {
    std::vector<unsigned> byNumber(results_);
    for (unsigned i = 0; i < roles_.size(); ++i) {
      if (roles_[i].result) byNumber[roles_[i].resultNumber] = i;
    }
    for (const unsigned i : byNumber) {
      const Role& role = roles_[i];
      auto& entry = *executable_.add_output_info_map();
      entry.mutable_shape_index();
      if (results_ != 1) entry.mutable_shape_index()->add_indexes(role.resultNumber);
      auto& info = *entry.mutable_output_info();
      info.set_allocation_index(i);
      info.set_passthrough(main_.getArgAttr(i, kPassthrough) != nullptr);
      if (!role.parameter) continue;
      auto& alias = *info.mutable_alias_config();
      alias.set_parameter_number(role.parameterNumber);
      const auto kind = main_.getArgAttrOfType<mlir::StringAttr>(i, kAlias);
      const bool must = kind && kind.getValue() == "must";
      alias.set_kind(must ? wire::MUST_ALIAS : wire::MAY_ALIAS);
    }
  }

  // A run takes the arguments as @main does.
  void writeOrder() {
    for (unsigned i = 0; i < roles_.size(); ++i) {
      if (!roles_[i].parameter && !roles_[i].result) continue;
      wire::RunArgumentProto& argument = *executable_.mutable_thunky()->add_arguments();
      argument.set_allocation(i);
      if (const auto name = main_.getArgAttrOfType<mlir::StringAttr>(i, kName)) {
        argument.set_name(name.getValue().str());
      }
    }
  }

  const ProgramParts& parts_;
  mlir::func::FuncOp main_;
  wire::GpuExecutableProto& executable_;
  std::vector<Role> roles_;
  int parameters_ = 0;
  int results_ = 0;
};

}  // namespace

llvm::LogicalResult describeProgram(const ProgramParts& parts,
                                    wire::GpuExecutableProto& executable) {
  return Describer(parts, executable).describe();
}

}  // namespace thunky::compiler
