#include "thunky/ptx/variable_layout.h"

#include <limits>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/constant_expression.h"

namespace thunky::ptx {
namespace {

constexpr uint64_t kMaxSize = std::numeric_limits<int64_t>::max();

bool IsPowerOfTwo(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

absl::StatusOr<ir::Type> ElementType(const ast::Variable& variable) {
  const std::string name = variable.type.empty() ? "" : variable.type.substr(1);
  const ir::Type type = ir::TypeFromName(name);
  if (type == ir::Type::kPred) {
    return absl::InvalidArgumentError("a predicate does not live in memory");
  }
  if (type == ir::Type::kNone) {
    return absl::UnimplementedError(
        absl::StrCat("type '", variable.type, "' is not supported"));
  }
  return type;
}

// Elements of `.v2` or `.v4`; 1 without.
absl::StatusOr<uint64_t> VectorElements(const ast::Variable& variable) {
  if (variable.vector.empty()) return 1;
  if (variable.vector == ".v2") return 2;
  if (variable.vector == ".v4") return 4;
  return absl::InvalidArgumentError(
      absl::StrCat("'", variable.vector, "' is not a vector size: .v2 or .v4"));
}

absl::Status ReadExtents(const ast::Variable& variable, VariableLayout& layout) {
  for (size_t i = 0; i < variable.dims.size(); ++i) {
    const std::optional<ast::Expr>& dim = variable.dims[i];
    uint64_t extent = 0;
    if (dim.has_value()) {
      ASSIGN_OR_RETURN(extent, EvaluateSize(*dim));
    } else if (i == 0) {
      layout.unsized = true;
    } else {
      return absl::InvalidArgumentError("only the first dimension may be '[]'");
    }
    layout.extents.push_back(extent);
  }
  ASSIGN_OR_RETURN(const uint64_t vector, VectorElements(variable));
  if (vector > 1) layout.extents.push_back(vector);
  return absl::OkStatus();
}

absl::Status ComputeSize(VariableLayout& layout) {
  uint64_t size = layout.element_bytes;
  bool empty = false;
  for (size_t i = layout.unsized ? 1 : 0; i < layout.extents.size(); ++i) {
    const uint64_t extent = layout.extents[i];
    empty = empty || extent == 0;
    if (extent != 0 && size > kMaxSize / extent) {
      return absl::InvalidArgumentError("its size does not fit 63 bits");
    }
    if (extent != 0) size *= extent;
  }
  layout.size = layout.unsized || empty ? 0 : size;
  return absl::OkStatus();
}

absl::StatusOr<VariableLayout> LayOut(const ast::Variable& variable) {
  VariableLayout layout;
  if (variable.count.has_value()) {
    return absl::InvalidArgumentError("a count '<N>' is for registers only");
  }
  ASSIGN_OR_RETURN(layout.element, ElementType(variable));
  layout.element_bytes = static_cast<uint64_t>(ir::BitWidth(layout.element)) / 8;
  RETURN_IF_ERROR(ReadExtents(variable, layout));
  RETURN_IF_ERROR(ComputeSize(layout));
  ASSIGN_OR_RETURN(const uint64_t vector, VectorElements(variable));
  layout.alignment = variable.alignment.value_or(layout.element_bytes * vector);
  if (!IsPowerOfTwo(layout.alignment) || layout.alignment > kMaxAlignment) {
    return absl::InvalidArgumentError(absl::StrCat(
        "alignment ", layout.alignment, " is not a power of two up to ", kMaxAlignment));
  }
  return layout;
}

}  // namespace

uint64_t VariableLayout::Stride(size_t depth) const {
  uint64_t bytes = element_bytes;
  for (size_t i = depth + 1; i < extents.size(); ++i) bytes *= extents[i];
  return bytes;
}

absl::StatusOr<VariableLayout> LayOutVariable(const ast::Variable& variable) {
  absl::StatusOr<VariableLayout> layout = LayOut(variable);
  if (layout.ok()) return layout;
  return Annotate(layout.status(), absl::StrCat("variable '", variable.name, "'"));
}

absl::StatusOr<uint64_t> AlignUp(uint64_t offset, uint64_t alignment) {
  if (offset > kMaxSize - (alignment - 1)) {
    return absl::InvalidArgumentError("the variables' sizes do not fit 63 bits");
  }
  return (offset + alignment - 1) & ~(alignment - 1);
}

absl::StatusOr<uint64_t> Place(uint64_t* offset, uint64_t size, uint64_t alignment) {
  ASSIGN_OR_RETURN(*offset, AlignUp(*offset, alignment));
  if (size > kMaxSize - *offset) {
    return absl::InvalidArgumentError("the variables' sizes do not fit 63 bits");
  }
  return *offset + size;
}

}  // namespace thunky::ptx
