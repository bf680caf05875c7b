#include "thunky/schema/signature.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/allocations.h"
#include "thunky/schema/shape_tree.h"
#include "thunky/schema/walk.h"

namespace thunky::schema {
namespace {

using OutputEntry = wire::GpuExecutableProto::OutputInfoMapEntry;
using OutputInfo = wire::GpuExecutableProto::OutputInfoProto;
using AliasEntry = wire::HloInputOutputAliasProto::AliasEntryProto;

template <typename... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

// "parameter 0" or, inside a tuple, "parameter 0 {1}".
std::string ParameterText(int64_t number, const ShapeIndex& index) {
  return absl::StrCat("parameter ", number, index.empty() ? "" : " ",
                      index.empty() ? "" : ToString(index));
}

class SignatureBuilder {
 public:
  SignatureBuilder(const wire::GpuExecutableProto& executable,
                   const AllocationTable& allocations, UnknownKinds unknown)
      : executable_(executable),
        shape_(executable.program_shape()),
        allocations_(allocations),
        unknown_(unknown) {}

  absl::StatusOr<Signature> Build() {
    if (!executable_.has_program_shape()) return Invalid("program shape: missing");
    signature_.program_parameters = shape_.parameters_size();
    signature_.tuple_result = shape_.result().element_type() == wire::TUPLE;
    RETURN_IF_ERROR(AddParameters());
    RETURN_IF_ERROR(AddConstants());
    RETURN_IF_ERROR(AddResults());
    RETURN_IF_ERROR(AddTemporaries());
    RETURN_IF_ERROR(AddArguments());
    return std::move(signature_);
  }

 private:
  absl::Status AddParameters() {
    for (int64_t i = 0; i < allocations_.count(); ++i) {
      const wire::BufferAllocationProto& allocation = allocations_.at(i);
      if (!allocation.is_entry_computation_parameter()) continue;
      const absl::Status status = AddParameter(allocation);
      if (!status.ok()) return Annotate(status, absl::StrCat("allocation ", i));
    }
    std::vector<SignatureParameter>& parameters = signature_.parameters;
    std::sort(parameters.begin(), parameters.end(), [](const auto& a, const auto& b) {
      return std::tie(a.number, a.shape_index, a.allocation) <
             std::tie(b.number, b.shape_index, b.allocation);
    });
    for (size_t i = 0; i < parameters.size(); ++i) {
      const SignatureParameter& parameter = parameters[i];
      by_place_[{parameter.number, parameter.shape_index}] = static_cast<int>(i);
      by_allocation_[parameter.allocation] = static_cast<int>(i);
    }
    if (by_place_.size() == parameters.size()) return absl::OkStatus();
    return DuplicateParameter();
  }

  absl::Status DuplicateParameter() const {
    for (size_t i = 1; i < signature_.parameters.size(); ++i) {
      const SignatureParameter& a = signature_.parameters[i - 1];
      const SignatureParameter& b = signature_.parameters[i];
      if (a.number != b.number || a.shape_index != b.shape_index) continue;
      return Invalid("allocation ", b.allocation, ": is ",
                     ParameterText(b.number, b.shape_index), ", as allocation ",
                     a.allocation, " is");
    }
    return absl::OkStatus();
  }

  absl::Status AddParameter(const wire::BufferAllocationProto& allocation) {
    SignatureParameter parameter;
    parameter.number = allocation.parameter_number();
    parameter.shape_index.assign(allocation.parameter_shape_index().begin(),
                                 allocation.parameter_shape_index().end());
    parameter.allocation = allocation.index();
    parameter.size = allocation.size();
    if (parameter.number < 0 || parameter.number >= shape_.parameters_size()) {
      return Invalid("is parameter ", parameter.number, "; the program shape has ",
                     shape_.parameters_size(), " parameters");
    }
    const int number = static_cast<int>(parameter.number);
    const wire::ShapeProto* shape =
        SubShape(shape_.parameters(number), parameter.shape_index);
    const std::string text = ParameterText(number, parameter.shape_index);
    if (shape == nullptr) {
      return Invalid("is ", text, ", which the program shape does not have");
    }
    // The table of a tuple is memory of the runtime's own.
    if (shape->element_type() == wire::TUPLE) return absl::OkStatus();
    ASSIGN_OR_RETURN(parameter.type, TypeIn(*shape, allocation, text));
    if (number < shape_.parameter_names_size()) {
      parameter.name = shape_.parameter_names(number);
    }
    signature_.parameters.push_back(std::move(parameter));
    return absl::OkStatus();
  }

  static absl::StatusOr<TensorType> TypeIn(const wire::ShapeProto& shape,
                                           const wire::BufferAllocationProto& allocation,
                                           const std::string& what) {
    absl::StatusOr<TensorType> type = TensorTypeOf(shape);
    if (!type.ok()) return Annotate(type.status(), what);
    if (ByteSize(*type) > allocation.size()) {
      return Invalid("has ", allocation.size(), " bytes; ", what, " is ",
                     type->ToString(), " of ", ByteSize(*type), " bytes");
    }
    return type;
  }

  absl::Status AddConstants() {
    for (const auto& info : executable_.constants()) {
      SignatureConstant constant{info.symbol_name(), info.allocation_index(), 0};
      if (constant.allocation != -1) {
        const absl::Status status = PlaceConstant(constant);
        if (!status.ok()) {
          return Annotate(status, absl::StrCat("constant '", constant.name, "'"));
        }
      }
      signature_.constants.push_back(std::move(constant));
    }
    return absl::OkStatus();
  }

  absl::Status PlaceConstant(SignatureConstant& constant) {
    RETURN_IF_ERROR(allocations_.Check({constant.allocation, 0, 0}));
    constant.size = allocations_.at(constant.allocation).size();
    const int position = static_cast<int>(signature_.constants.size());
    if (!constant_at_.emplace(constant.allocation, position).second) {
      return Invalid("lies in allocation ", constant.allocation,
                     ", as another constant does");
    }
    const auto parameter = by_allocation_.find(constant.allocation);
    if (parameter == by_allocation_.end()) return absl::OkStatus();
    return Invalid("lies in allocation ", constant.allocation, ", which is a parameter");
  }

  absl::Status AddResults() {
    std::map<ShapeIndex, const OutputInfo*> infos;
    for (const OutputEntry& entry : executable_.output_info_map()) {
      const auto& indexes = entry.shape_index().indexes();
      const ShapeIndex index(indexes.begin(), indexes.end());
      if (SubShape(shape_.result(), index) == nullptr) {
        return Invalid("output ", ToString(index),
                       ": the program shape's result has no such element");
      }
      if (!infos.emplace(index, &entry.output_info()).second) {
        return Invalid("output ", ToString(index), ": listed twice");
      }
    }
    ASSIGN_OR_RETURN(const std::vector<ShapeLeaf> leaves, LeavesOf(shape_.result()));
    for (const ShapeLeaf& leaf : leaves) {
      const auto info = infos.find(leaf.index);
      const absl::Status status = info == infos.end()
                                      ? Invalid("the output map does not list it")
                                      : AddResult(leaf, *info->second);
      if (!status.ok()) return Annotate(status, "output " + ToString(leaf.index));
    }
    return absl::OkStatus();
  }

  absl::Status AddResult(const ShapeLeaf& leaf, const OutputInfo& info) {
    RETURN_IF_ERROR(allocations_.Check({info.allocation_index(), 0, 0}));
    const auto& allocation = allocations_.at(info.allocation_index());
    const int position = static_cast<int>(signature_.results.size());
    SignatureResult result;
    result.shape_index = leaf.index;
    result.allocation = info.allocation_index();
    result.size = allocation.size();
    result.passthrough = info.passthrough();
    result.first_in_allocation =
        result_at_.emplace(result.allocation, position).first->second;
    const absl::StatusOr<TensorType> type = TypeIn(*leaf.shape, allocation, "it");
    if (!type.ok()) {
      return Annotate(type.status(), absl::StrCat("allocation ", result.allocation));
    }
    result.type = *type;
    const auto constant = constant_at_.find(result.allocation);
    if (constant != constant_at_.end()) result.constant = constant->second;
    RETURN_IF_ERROR(JoinParameter(info, result));
    if (result.aliased_parameter.has_value()) {
      SignatureParameter& parameter = signature_.parameters[*result.aliased_parameter];
      parameter.aliased_results.push_back(position);
      parameter.alias = std::max(parameter.alias, result.alias);
    }
    signature_.results.push_back(std::move(result));
    return absl::OkStatus();
  }

  // A result in a parameter's memory is an alias or passes the parameter through.
  absl::Status JoinParameter(const OutputInfo& info, SignatureResult& result) {
    const auto parameter = by_allocation_.find(result.allocation);
    if (info.has_alias_config()) return JoinAlias(info.alias_config(), result);
    if (parameter == by_allocation_.end()) {
      if (!result.passthrough) return absl::OkStatus();
      return Invalid("passes a parameter through, but allocation ", result.allocation,
                     " is none");
    }
    if (!result.passthrough) {
      return Invalid("lies in allocation ", result.allocation, ", which is ",
                     ParameterText(signature_.parameters[parameter->second].number,
                                   signature_.parameters[parameter->second].shape_index),
                     ", and is no alias of it");
    }
    result.aliased_parameter = parameter->second;
    return absl::OkStatus();
  }

  absl::Status JoinAlias(const AliasEntry& alias, SignatureResult& result) {
    const ShapeIndex index(alias.parameter_shape_index().begin(),
                           alias.parameter_shape_index().end());
    const std::string text = ParameterText(alias.parameter_number(), index);
    if (alias.kind() != wire::MAY_ALIAS && alias.kind() != wire::MUST_ALIAS) {
      return Invalid("aliases ", text, " with kind ", static_cast<int>(alias.kind()),
                     "; may (1) and must (2) are known");
    }
    const auto parameter = by_place_.find({alias.parameter_number(), index});
    if (parameter == by_place_.end()) {
      return Invalid("aliases ", text, ", which has no allocation");
    }
    const int64_t allocation = signature_.parameters[parameter->second].allocation;
    if (allocation != result.allocation) {
      return Invalid("lies in allocation ", result.allocation, " and aliases ", text,
                     ", which is allocation ", allocation);
    }
    // XLA gives a parameter's memory to one output only.
    const std::vector<int>& others =
        signature_.parameters[parameter->second].aliased_results;
    if (!others.empty()) {
      const size_t other = static_cast<size_t>(others.front());
      return Invalid("aliases ", text, ", as output ",
                     ToString(signature_.results[other].shape_index), " does");
    }
    result.aliased_parameter = parameter->second;
    result.alias = alias.kind() == wire::MUST_ALIAS ? AliasKind::kMust : AliasKind::kMay;
    return absl::OkStatus();
  }

  // What a thunk refers to and is nothing else.
  absl::Status AddTemporaries() {
    std::set<int64_t> used;
    RETURN_IF_ERROR(WalkThunks(executable_.thunks(), [&](const ThunkVisit& visit) {
      if (!visit.kind.has_value() && unknown_ == UnknownKinds::kRefuse) {
        return KindOf(visit.thunk).status();
      }
      if (visit.local_allocations != nullptr) return absl::OkStatus();
      if (!visit.kind.has_value()) {
        signature_.unknown_accesses = true;
        return absl::OkStatus();
      }
      const std::vector<Access> accesses = AccessesOf(*visit.kind, visit.thunk);
      if (accesses.size() > kMaxThunkBuffers) {
        return Invalid("has more than ", kMaxThunkBuffers, " buffers");
      }
      for (const Access& access : accesses) {
        RETURN_IF_ERROR(allocations_.Check(access.slice));
        used.insert(access.slice.allocation);
      }
      return absl::OkStatus();
    }));
    if (signature_.unknown_accesses) {
      for (int64_t i = 0; i < allocations_.count(); ++i) used.insert(i);
    }
    for (const int64_t allocation : used) {
      if (by_allocation_.count(allocation) != 0 || result_at_.count(allocation) != 0 ||
          constant_at_.count(allocation) != 0) {
        continue;
      }
      signature_.temporaries.push_back({allocation, allocations_.at(allocation).size()});
    }
    return absl::OkStatus();
  }

  // The order of a run, where the file has one.
  absl::Status AddArguments() {
    const auto& arguments = executable_.thunky().arguments();
    if (arguments.empty()) return absl::OkStatus();
    std::set<int64_t> left;  // allocations that must be there
    for (const auto& [allocation, position] : by_allocation_) left.insert(allocation);
    for (const auto& [allocation, position] : result_at_) left.insert(allocation);
    for (int i = 0; i < arguments.size(); ++i) {
      const int64_t allocation = arguments[i].allocation();
      if (left.erase(allocation) == 0) {
        const bool known =
            by_allocation_.count(allocation) != 0 || result_at_.count(allocation) != 0;
        return Invalid("arguments[", i, "]: allocation ", allocation,
                       known ? " is an earlier argument already"
                             : " is neither a parameter nor a result");
      }
      signature_.arguments.push_back({allocation, arguments[i].name()});
    }
    if (left.empty()) return absl::OkStatus();
    return Invalid("arguments: expected all ", arguments.size() + left.size(),
                   " parameters and results, found ", arguments.size(), "; allocation ",
                   *left.begin(), " is not among them");
  }

  const wire::GpuExecutableProto& executable_;
  const wire::ProgramShapeProto& shape_;
  const AllocationTable& allocations_;
  UnknownKinds unknown_;
  Signature signature_;
  // Positions in the signature's lists.
  std::map<std::pair<int64_t, ShapeIndex>, int> by_place_;
  std::map<int64_t, int> by_allocation_;
  std::map<int64_t, int> constant_at_;
  std::map<int64_t, int> result_at_;  // of the first result in the allocation
};

}  // namespace

std::string ToString(const ShapeIndex& index) {
  return absl::StrCat("{", absl::StrJoin(index, ","), "}");
}

absl::StatusOr<Signature> SignatureOf(const wire::GpuExecutableProto& executable,
                                      UnknownKinds unknown) {
  ASSIGN_OR_RETURN(const AllocationList* list, AllocationsOf(executable));
  ASSIGN_OR_RETURN(const AllocationTable allocations, AllocationTable::Of(*list));
  return SignatureBuilder(executable, allocations, unknown).Build();
}

}  // namespace thunky::schema
