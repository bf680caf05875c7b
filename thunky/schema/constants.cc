#include "thunky/schema/constants.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/allocations.h"

namespace thunky::schema {
namespace {

using ConstantInfo = wire::GpuExecutableProto::ConstantInfoProto;

template <typename... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

// The `constant` instructions of a module by the symbol name they get.
class LiteralIndex {
 public:
  explicit LiteralIndex(const wire::HloModuleProto& module) {
    for (const wire::HloComputationProto& computation : module.computations()) {
      for (const wire::HloInstructionProto& instruction : computation.instructions()) {
        if (instruction.opcode() != "constant") continue;
        Entry& entry = entries_[ConstantSymbolName(instruction.name())];
        entry.second = entry.first;
        entry.first = &instruction;
      }
    }
  }

  absl::StatusOr<std::string> Bytes(const std::string& symbol) const {
    const auto found = entries_.find(symbol);
    if (found == entries_.end()) {
      return Invalid(
          "has no content, and no constant instruction of the HLO module "
          "has that name");
    }
    const auto& [instruction, other] = found->second;
    if (other != nullptr) {
      return Invalid("has no content, and two constant instructions have that name: '",
                     other->name(), "' and '", instruction->name(), "'");
    }
    if (!instruction->has_literal()) {
      return Invalid("has no content, and instruction '", instruction->name(),
                     "' has no literal");
    }
    return LiteralBytes(instruction->literal());
  }

 private:
  // The last instruction of a name and the one before it.
  using Entry =
      std::pair<const wire::HloInstructionProto*, const wire::HloInstructionProto*>;
  std::map<std::string, Entry> entries_;
};

class Reader {
 public:
  Reader(const wire::GpuExecutableProto& executable, const AllocationTable& allocations)
      : executable_(executable), allocations_(allocations) {}

  absl::StatusOr<Constant> Read(const ConstantInfo& info) {
    if (!names_.insert(info.symbol_name()).second) {
      return Invalid("two constants have this name");
    }
    Constant constant;
    constant.name = info.symbol_name();
    constant.allocation = info.allocation_index();
    if (constant.allocation == -1) {
      constant.bytes = info.content().data();
      return constant;
    }
    RETURN_IF_ERROR(CheckAllocation(constant.allocation));
    constant.size = allocations_.at(constant.allocation).size();
    ASSIGN_OR_RETURN(constant.bytes, Content(info, constant.size));
    if (static_cast<int64_t>(constant.bytes.size()) > constant.size) {
      return Invalid("has ", constant.bytes.size(), " bytes; allocation ",
                     constant.allocation, " has ", constant.size);
    }
    return constant;
  }

 private:
  absl::Status CheckAllocation(int64_t allocation) {
    RETURN_IF_ERROR(allocations_.Check({allocation, 0, 0}));
    if (used_.insert(allocation).second) return absl::OkStatus();
    return Invalid("lies in allocation ", allocation, ", as another constant does");
  }

  absl::StatusOr<std::string> Content(const ConstantInfo& info, int64_t size) {
    if (!info.content().data().empty() || size == 0) return info.content().data();
    // Made when first needed: most files written here have inline content.
    if (!literals_.has_value()) {
      literals_.emplace(executable_.hlo_module_with_config().hlo_module());
    }
    return literals_->Bytes(info.symbol_name());
  }

  const wire::GpuExecutableProto& executable_;
  const AllocationTable& allocations_;
  std::optional<LiteralIndex> literals_;
  std::set<std::string> names_;
  std::set<int64_t> used_;
};

}  // namespace

absl::StatusOr<std::vector<Constant>> ConstantsOf(
    const wire::GpuExecutableProto& executable) {
  ASSIGN_OR_RETURN(const AllocationList* list, AllocationsOf(executable));
  ASSIGN_OR_RETURN(const AllocationTable allocations, AllocationTable::Of(*list));
  Reader reader(executable, allocations);
  std::vector<Constant> constants;
  for (const ConstantInfo& info : executable.constants()) {
    absl::StatusOr<Constant> constant = reader.Read(info);
    if (!constant.ok()) {
      return Annotate(constant.status(),
                      absl::StrCat("constant '", info.symbol_name(), "'"));
    }
    constants.push_back(*std::move(constant));
  }
  return constants;
}

std::vector<std::optional<std::string>> LiteralsOfConstants(
    const wire::GpuExecutableProto& executable) {
  const LiteralIndex literals(executable.hlo_module_with_config().hlo_module());
  std::vector<std::optional<std::string>> found;
  found.reserve(static_cast<size_t>(executable.constants_size()));
  for (const ConstantInfo& info : executable.constants()) {
    absl::StatusOr<std::string> bytes = literals.Bytes(info.symbol_name());
    found.push_back(bytes.ok() ? std::optional<std::string>(*std::move(bytes))
                               : std::nullopt);
  }
  return found;
}

std::string ConstantSymbolName(absl::string_view instruction) {
  std::string name = absl::StrCat("buffer_for_", instruction);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-' || c == ';'; },
      '_');
  return name;
}

}  // namespace thunky::schema
