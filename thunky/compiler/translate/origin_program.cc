#include "thunky/compiler/translate/origin_program.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/translate/program_arguments.h"
#include "thunky/compiler/translate/unknown_thunks.h"
#include "thunky/schema/allocations.h"
#include "thunky/schema/signature.h"

namespace thunky::compiler {
namespace {

std::optional<int64_t> originAllocationOf(mlir::Attribute attribute) {
  auto number = llvm::dyn_cast_or_null<mlir::IntegerAttr>(attribute);
  return number ? std::optional<int64_t>(number.getInt()) : std::nullopt;
}

class Restorer {
 public:
  Restorer(const wire::ModuleOriginProto& origin, const ProgramParts& parts,
           wire::GpuExecutableProto& executable)
      : origin_(origin.executable()),
        parts_(parts),
        main_(parts.main),
        executable_(executable) {}

  llvm::LogicalResult restore() {
    executable_ = origin_;
    const absl::StatusOr<schema::Signature> signature = schema::SignatureOf(origin_);
    if (!signature.ok()) return fail(signature.status());
    const absl::StatusOr<const schema::AllocationList*> allocations =
        schema::AllocationsOf(origin_);
    if (!allocations.ok()) return fail(allocations.status());
    if (mlir::failed(number(**allocations)) || mlir::failed(checkArguments(*signature)) ||
        mlir::failed(checkKept())) {
      return mlir::failure();
    }
    if (executable_.has_buffer_allocations()) {
      renumber(*executable_.mutable_buffer_allocations()->mutable_values());
    }
    if (executable_.has_buffer_assignment()) {
      renumber(*executable_.mutable_buffer_assignment()->mutable_buffer_allocations());
      renumberTraces();
    }
    for (auto& argument : *executable_.mutable_thunky()->mutable_arguments()) {
      argument.set_allocation(numbers_.at(argument.allocation()));
    }
    if (executable_.thunky().arguments().empty()) executable_.clear_thunky();
    if (mlir::failed(restoreResults())) return mlir::failure();
    restoreConstants();
    return mlir::success();
  }

 private:
  llvm::LogicalResult fail(const absl::Status& status) {
    return main_->getParentOp()->emitError(kOrigin)
           << ": " << std::string(status.message());
  }

  // Gives every allocation of the origin its new number.
  llvm::LogicalResult number(const schema::AllocationList& allocations) {
    const int64_t count = allocations.size();
    const auto claim = [&](std::optional<int64_t> old, int64_t fresh, int64_t size,
                           llvm::StringRef what) -> llvm::LogicalResult {
      if (!old.has_value()) {
        added_.push_back({fresh, size});
        return mlir::success();
      }
      if (*old < 0 || *old >= count || !numbers_.emplace(*old, fresh).second) {
        return main_.emitError(what) << " has " << kOriginAllocation << " " << *old
                                     << ", which the imported program does not have or "
                                     << "another buffer has too";
      }
      sizes_[*old] = size;
      return mlir::success();
    };
    for (unsigned i = 0; i < parts_.argumentSizes.size(); ++i) {
      arguments_[parts_.argumentAllocations[i]] = i;
      if (mlir::failed(claim(originAllocationOf(main_.getArgAttr(i, kOriginAllocation)),
                             parts_.argumentAllocations[i], parts_.argumentSizes[i],
                             "argument " + std::to_string(i)))) {
        return mlir::failure();
      }
    }
    for (size_t j = 0; j < parts_.constants.size(); ++j) {
      if (mlir::failed(claim(parts_.constants[j].origin, parts_.constants[j].allocation,
                             parts_.constants[j].size,
                             "constant '" + parts_.constants[j].name + "'"))) {
        return mlir::failure();
      }
    }
    for (const auto& [old, size] : sizes_) {
      for (const wire::BufferAllocationProto& allocation : allocations) {
        if (allocation.index() != old || allocation.size() == size) continue;
        return main_.emitError("the buffer with ")
               << kOriginAllocation << " " << old << " has " << size
               << " bytes, and the imported program's has " << allocation.size();
      }
    }
    int64_t next = parts_.allocationCount();
    for (int64_t old = 0; old < count; ++old) {
      if (!numbers_.emplace(old, next).second) continue;
      unused_ = unused_.value_or(old);
      ++next;
    }
    return mlir::success();
  }

  // Parameters and results are those of the origin: its HLO and metadata say them too.
  llvm::LogicalResult checkArguments(const schema::Signature& signature) {
    std::map<int64_t, unsigned> byAllocation;
    llvm::DenseMap<mlir::Attribute, unsigned> byResults;
    for (unsigned i = 0; i < parts_.argumentSizes.size(); ++i) {
      const std::optional<int64_t> old =
          originAllocationOf(main_.getArgAttr(i, kOriginAllocation));
      if (old.has_value()) {
        byAllocation[*old] = i;
      } else if (const mlir::Attribute results = main_.getArgAttr(i, kResults)) {
        byResults[results] = i;
      } else if (!main_.getArgAttr(i, kScratch)) {
        return main_.emitError("argument ")
               << i << " is none of the imported program's; it must be scratch ("
               << kScratch << "), or drop the module's " << kOrigin
               << " to export a program of its own";
      }
    }
    for (const ProgramArgument& wanted : argumentsOf(main_.getContext(), signature)) {
      std::optional<unsigned> found;
      if (wanted.allocation.has_value()) {
        const auto at = byAllocation.find(*wanted.allocation);
        if (at != byAllocation.end()) found = at->second;
      } else {
        const auto at = byResults.find(wanted.attributes.get(kResults));
        if (at != byResults.end()) found = at->second;
      }
      if (!found.has_value()) {
        return main_.emitError("@main lacks the argument ")
               << wanted.attributes << " of the imported program; drop the module's "
               << kOrigin << " to export a program of its own";
      }
      const mlir::DictionaryAttr attributes = main_.getArgAttrDict(*found);
      if (attributes == wanted.attributes) continue;
      return main_.emitError("argument ")
             << *found << " is " << attributes << ", and in the imported program "
             << wanted.attributes << "; drop the module's " << kOrigin
             << " to export a program of its own";
    }
    return mlir::success();
  }

  // Where a thunk may refer to any allocation, there are those of the imported program
  // and no other ones. (Results that are copies of constants are added by the import.)
  llvm::LogicalResult checkKept() {
    if (!parts_.keepAllocations) return mlir::success();
    const auto refuse = [&] {
      CallThunkProtoOp opaque = findUnknownThunk(main_);
      mlir::Operation* place = opaque ? opaque.getOperation() : main_.getOperation();
      mlir::InFlightDiagnostic diagnostic = place->emitError("allocations must keep ");
      diagnostic << "the numbers of the imported program (" << kKeepAllocations << ")";
      if (opaque) {
        diagnostic << ", any of which the thunk '" << opaque.getKernelName()
                   << "' may refer to";
      }
      diagnostic << ": ";
      return diagnostic;
    };
    if (unused_.has_value()) {
      return refuse() << "allocation " << *unused_ << " is no argument and no constant";
    }
    for (const auto& [fresh, size] : added_) {
      const std::optional<unsigned> argument = argumentWith(fresh);
      if (!argument.has_value()) return refuse() << "there is a new constant";
      if (main_.getArgAttr(*argument, kScratch) == nullptr) continue;
      return refuse() << "argument " << *argument << " is new";
    }
    return mlir::success();
  }

  // The argument that gets an allocation, if one does.
  std::optional<unsigned> argumentWith(int64_t allocation) const {
    const auto found = arguments_.find(allocation);
    if (found == arguments_.end()) return std::nullopt;
    return found->second;
  }

  void renumber(schema::AllocationList& list) {
    for (wire::BufferAllocationProto& allocation : list) {
      allocation.set_index(numbers_.at(allocation.index()));
    }
    for (const auto& [fresh, size] : added_) {
      wire::BufferAllocationProto& allocation = *list.Add();
      allocation.set_index(fresh);
      allocation.set_size(size);
      const std::optional<unsigned> argument = argumentWith(fresh);
      allocation.set_is_constant(!argument.has_value());
      if (argument.has_value() && main_.getArgAttr(*argument, kResults) != nullptr) {
        allocation.set_maybe_live_out(true);
      }
    }
    // In the order of their numbers, as jaxlib expects to find them.
    std::sort(list.pointer_begin(), list.pointer_end(),
              [](const auto* a, const auto* b) { return a->index() < b->index(); });
  }

  void renumberTraces() {
    for (wire::HeapSimulatorTrace& trace :
         *executable_.mutable_buffer_assignment()->mutable_heap_simulator_traces()) {
      const auto number = numbers_.find(trace.buffer_allocation_index());
      if (number != numbers_.end()) trace.set_buffer_allocation_index(number->second);
    }
  }

  llvm::LogicalResult restoreResults() {
    std::map<std::vector<int64_t>, unsigned> arguments;
    for (unsigned i = 0; i < parts_.argumentSizes.size(); ++i) {
      auto results =
          llvm::dyn_cast_or_null<mlir::ArrayAttr>(main_.getArgAttr(i, kResults));
      if (!results) continue;
      for (mlir::Attribute path : results) {
        const auto indices = llvm::cast<mlir::DenseI64ArrayAttr>(path).asArrayRef();
        if (!arguments.emplace(std::vector<int64_t>(indices.begin(), indices.end()), i)
                 .second) {
          return main_.emitError("argument ")
                 << i << " has result " << path << ", which another one has too";
        }
      }
    }
    for (auto& entry : *executable_.mutable_output_info_map()) {
      const auto& path = entry.shape_index().indexes();
      const auto found = arguments.find(std::vector<int64_t>(path.begin(), path.end()));
      const int64_t old = entry.output_info().allocation_index();
      // What is no argument is the table of a tuple.
      entry.mutable_output_info()->set_allocation_index(
          found != arguments.end() ? parts_.argumentAllocations[found->second]
                                   : numbers_.at(old));
    }
    return mlir::success();
  }

  // Known ones in the order of the origin, then new ones. Those of deleted operations
  // are left out.
  void restoreConstants() {
    std::map<int64_t, size_t> known;
    std::vector<size_t> fresh;
    for (size_t j = 0; j < parts_.constants.size(); ++j) {
      const std::optional<int64_t> old = parts_.constants[j].origin;
      if (old.has_value()) {
        known[*old] = j;
      } else {
        fresh.push_back(j);
      }
    }
    executable_.clear_constants();
    const auto fill = [&](size_t j, wire::GpuExecutableProto::ConstantInfoProto& info) {
      info.set_symbol_name(parts_.constants[j].name);
      info.set_allocation_index(parts_.constants[j].allocation);
      info.mutable_content()->set_data(parts_.constants[j].bytes);
    };
    for (const auto& constant : origin_.constants()) {
      if (constant.allocation_index() < 0) {
        *executable_.add_constants() = constant;
        continue;
      }
      const auto found = known.find(constant.allocation_index());
      if (found == known.end()) continue;
      auto& info = *executable_.add_constants();
      info = constant;
      fill(found->second, info);
    }
    for (const size_t j : fresh) fill(j, *executable_.add_constants());
  }

  const wire::GpuExecutableProto& origin_;
  const ProgramParts& parts_;
  mlir::func::FuncOp main_;
  wire::GpuExecutableProto& executable_;
  std::map<int64_t, unsigned> arguments_;           // by new number
  std::map<int64_t, int64_t> numbers_;              // old to new
  std::map<int64_t, int64_t> sizes_;                // by old number
  std::vector<std::pair<int64_t, int64_t>> added_;  // new number, size
  std::optional<int64_t> unused_;  // the first one that is no argument and no constant
};

}  // namespace

mlir::FailureOr<wire::ModuleOriginProto> readOrigin(mlir::ModuleOp module) {
  const std::optional<llvm::StringRef> bytes = bytesOf(module->getAttr(kOrigin));
  if (!bytes.has_value()) {
    module.emitError(kOrigin) << " has no bytes; it must be a resource of bytes, and "
                              << "text that was written with large blobs left out lacks "
                              << "them";
    return mlir::failure();
  }
  wire::ModuleOriginProto origin;
  const absl::Status status = parseBytes(*bytes, origin);
  if (!status.ok()) {
    module.emitError(kOrigin) << " is damaged: " << std::string(status.message());
    return mlir::failure();
  }
  return origin;
}

llvm::LogicalResult restoreOrigin(const wire::ModuleOriginProto& origin,
                                  const ProgramParts& parts,
                                  wire::GpuExecutableProto& executable) {
  return Restorer(origin, parts, executable).restore();
}

}  // namespace thunky::compiler
