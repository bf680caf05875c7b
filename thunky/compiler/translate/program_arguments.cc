#include "thunky/compiler/translate/program_arguments.h"

#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Builders.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/shapes.h"

namespace thunky::compiler {
namespace {

class ArgumentBuilder {
 public:
  ArgumentBuilder(mlir::MLIRContext* context, const schema::Signature& signature)
      : builder_(context), signature_(signature) {}

  std::vector<ProgramArgument> build() {
    for (const schema::SignatureParameter& parameter : signature_.parameters) {
      addParameter(parameter);
    }
    for (size_t i = 0; i < signature_.results.size(); ++i) addResult(i);
    for (const schema::SignatureTemporary& temporary : signature_.temporaries) {
      set(kScratch, builder_.getUnitAttr());
      add(temporary.size, temporary.allocation);
    }
    putInOrder();
    return std::move(arguments_);
  }

 private:
  void set(llvm::StringRef name, mlir::Attribute value) {
    attributes_.push_back(builder_.getNamedAttr(name, value));
  }

  void add(int64_t size, std::optional<int64_t> allocation,
           std::optional<int> constant = std::nullopt) {
    if (allocation.has_value()) {
      set(kOriginAllocation, builder_.getI64IntegerAttr(*allocation));
    }
    arguments_.push_back(
        {size, allocation, constant, builder_.getDictionaryAttr(attributes_)});
    attributes_.clear();
  }

  void setType(const schema::TensorType& type) {
    const mlir::Type element = elementTypeOf(builder_.getContext(), type.element_type);
    if (!element) return;
    const auto tensor = mlir::RankedTensorType::get(type.dimensions, element);
    set(kType, mlir::TypeAttr::get(tensor));
    ArrayType array = {tensor, {}};
    array.minorToMajor.assign(type.minor_to_major.begin(), type.minor_to_major.end());
    if (!type.minor_to_major.empty() && !array.isRowMajor()) {
      set(kLayout, builder_.getDenseI64ArrayAttr(type.minor_to_major));
    }
  }

  mlir::ArrayAttr pathsOf(const std::vector<int>& results) {
    llvm::SmallVector<mlir::Attribute> paths;
    for (const int result : results) {
      paths.push_back(
          builder_.getDenseI64ArrayAttr(signature_.results[result].shape_index));
    }
    return builder_.getArrayAttr(paths);
  }

  void addParameter(const schema::SignatureParameter& parameter) {
    if (!parameter.name.empty()) set(kName, builder_.getStringAttr(parameter.name));
    set(kParameter, builder_.getI64IntegerAttr(parameter.number));
    if (!parameter.shape_index.empty()) {
      set(kParameterIndex, builder_.getDenseI64ArrayAttr(parameter.shape_index));
    }
    setType(parameter.type);
    bool passedThrough = false;
    if (!parameter.aliased_results.empty()) {
      set(kResults, pathsOf(parameter.aliased_results));
      for (const int result : parameter.aliased_results) {
        passedThrough = passedThrough || signature_.results[result].passthrough;
      }
    }
    if (passedThrough) set(kPassthrough, builder_.getUnitAttr());
    if (parameter.alias != schema::AliasKind::kNone) {
      const bool must = parameter.alias == schema::AliasKind::kMust;
      set(kAlias, builder_.getStringAttr(must ? "must" : "may"));
    }
    add(parameter.size, parameter.allocation);
  }

  // Once for all results in one allocation; a constant among them is copied, so each
  // has memory of its own.
  void addResult(size_t i) {
    const schema::SignatureResult& result = signature_.results[i];
    if (result.aliased_parameter.has_value()) return;
    if (result.first_in_allocation != static_cast<int>(i)) return;
    std::vector<int> sharing;
    for (size_t j = i; j < signature_.results.size(); ++j) {
      if (signature_.results[j].first_in_allocation == static_cast<int>(i)) {
        sharing.push_back(static_cast<int>(j));
      }
    }
    set(kResults, pathsOf(sharing));
    setType(result.type);
    // Only a list of the arguments of a run has names for results.
    const auto named = llvm::find_if(
        signature_.arguments, [&](const schema::SignatureArgument& argument) {
          return argument.allocation == result.allocation && !result.constant.has_value();
        });
    if (named != signature_.arguments.end() && !named->name.empty()) {
      set(kName, builder_.getStringAttr(named->name));
    }
    if (result.constant.has_value()) {
      add(result.size, std::nullopt, result.constant);
    } else {
      add(result.size, result.allocation);
    }
  }

  // A program that was written here says in which order a run takes its arguments, and
  // they are in that order again.
  void putInOrder() {
    std::map<int64_t, size_t> places;
    for (const auto& argument : signature_.arguments) {
      places.emplace(argument.allocation, places.size());
    }
    const auto placeOf = [&](const ProgramArgument& argument) {
      const auto found = argument.allocation.has_value()
                             ? places.find(*argument.allocation)
                             : places.end();
      return found == places.end() ? places.size() : found->second;
    };
    llvm::stable_sort(arguments_, [&](const auto& a, const auto& b) {
      return placeOf(a) < placeOf(b);
    });
  }

  mlir::Builder builder_;
  const schema::Signature& signature_;
  llvm::SmallVector<mlir::NamedAttribute> attributes_;
  std::vector<ProgramArgument> arguments_;
};

}  // namespace

std::vector<ProgramArgument> argumentsOf(mlir::MLIRContext* context,
                                         const schema::Signature& signature) {
  return ArgumentBuilder(context, signature).build();
}

}  // namespace thunky::compiler
