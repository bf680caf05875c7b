#include "thunky/schema/dynamic_slice.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::schema {
namespace {

using Expr = OffsetExprProto;
using ParameterValue = absl::FunctionRef<absl::StatusOr<int64_t>(int64_t)>;

// Operands of a kind; -1 for an unknown kind.
int OperandCount(Expr::Kind kind) {
  switch (kind) {
    case Expr::CONSTANT:
    case Expr::PARAMETER:
      return 0;
    case Expr::ADD:
    case Expr::SUBTRACT:
    case Expr::MULTIPLY:
    case Expr::COMPARE:
      return 2;
    case Expr::SELECT:
      return 3;
    default:
      return -1;
  }
}

absl::Status CheckNode(const Expr& expr, int depth) {
  if (depth > kMaxOffsetDepth) {
    return absl::InvalidArgumentError(absl::StrCat(
        "an offset expression is nested deeper than ", kMaxOffsetDepth, " levels"));
  }
  const int operands = OperandCount(expr.kind());
  if (operands < 0) {
    return absl::InvalidArgumentError(absl::StrCat("an offset expression has kind ",
                                                   static_cast<int>(expr.kind()),
                                                   ", which this build does not know"));
  }
  if (expr.operands_size() != operands) {
    return absl::InvalidArgumentError(
        absl::StrCat("offset expression ", Expr::Kind_Name(expr.kind()), " has ",
                     expr.operands_size(), " operands; it takes ", operands));
  }
  if (expr.kind() != Expr::COMPARE) return absl::OkStatus();
  if (expr.compare_direction() >= Expr::EQ && expr.compare_direction() <= Expr::LT) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "an offset expression compares in direction ",
      static_cast<int>(expr.compare_direction()), ", which this build does not know"));
}

absl::Status CheckAt(const Expr& expr, int depth,
                     absl::FunctionRef<absl::Status(int64_t)> check_parameter) {
  RETURN_IF_ERROR(CheckNode(expr, depth));
  if (expr.kind() == Expr::PARAMETER) return check_parameter(expr.value());
  for (const Expr& operand : expr.operands()) {
    RETURN_IF_ERROR(CheckAt(operand, depth + 1, check_parameter));
  }
  return absl::OkStatus();
}

bool Compare(Expr::CompareDirection direction, int64_t a, int64_t b) {
  switch (direction) {
    case Expr::EQ:
      return a == b;
    case Expr::NE:
      return a != b;
    case Expr::GE:
      return a >= b;
    case Expr::GT:
      return a > b;
    case Expr::LE:
      return a <= b;
    default:
      return a < b;
  }
}

// Two's complement, as the device's integers behave.
int64_t Arithmetic(Expr::Kind kind, int64_t a, int64_t b) {
  const uint64_t x = static_cast<uint64_t>(a);
  const uint64_t y = static_cast<uint64_t>(b);
  if (kind == Expr::ADD) return static_cast<int64_t>(x + y);
  if (kind == Expr::SUBTRACT) return static_cast<int64_t>(x - y);
  return static_cast<int64_t>(x * y);
}

absl::StatusOr<int64_t> EvaluateAt(const Expr& expr, int depth,
                                   ParameterValue parameter) {
  RETURN_IF_ERROR(CheckNode(expr, depth));
  if (expr.kind() == Expr::CONSTANT) return expr.value();
  if (expr.kind() == Expr::PARAMETER) return parameter(expr.value());
  ASSIGN_OR_RETURN(const int64_t first,
                   EvaluateAt(expr.operands(0), depth + 1, parameter));
  if (expr.kind() == Expr::SELECT) {
    return EvaluateAt(expr.operands(first != 0 ? 1 : 2), depth + 1, parameter);
  }
  ASSIGN_OR_RETURN(const int64_t second,
                   EvaluateAt(expr.operands(1), depth + 1, parameter));
  if (expr.kind() == Expr::COMPARE) {
    return Compare(expr.compare_direction(), first, second) ? 1 : 0;
  }
  return Arithmetic(expr.kind(), first, second);
}

// Bytes from one index to the next in each dimension of a dense array.
std::vector<int64_t> ByteStrides(const TensorType& type) {
  const int rank = static_cast<int>(type.dimensions.size());
  std::vector<int64_t> strides(rank);
  int64_t stride = type.storage_bits / 8;
  for (int i = 0; i < rank; ++i) {
    const int64_t dimension =
        type.minor_to_major.empty() ? rank - 1 - i : type.minor_to_major[i];
    strides[dimension] = stride;
    // An array with a zero dimension has no bytes to overflow towards.
    stride *= std::max<int64_t>(type.dimensions[dimension], 1);
  }
  return strides;
}

}  // namespace

absl::StatusOr<int64_t> WindowOffset(const wire::DynamicSliceConfig& config,
                                     absl::Span<const int64_t> iterations,
                                     int64_t buffer_size, int64_t window_size) {
  int64_t iteration = 0;
  if (config.has_loop_index()) {
    const int64_t loops = static_cast<int64_t>(iterations.size());
    if (config.loop_index() < 0 || config.loop_index() >= loops) {
      return absl::InvalidArgumentError(absl::StrCat(
          "loop_index is ", config.loop_index(), " inside ", loops, " loops"));
    }
    iteration = iterations[loops - 1 - config.loop_index()];
  }
  // 128 bits hold the exact sum, so the clamp is right for any values.
  const __int128 offset =
      static_cast<__int128>(iteration) * config.byte_stride() + config.byte_offset();
  const __int128 last = buffer_size - window_size;
  return static_cast<int64_t>(std::clamp<__int128>(offset, 0, last));
}

absl::StatusOr<int64_t> EvaluateOffsetExpr(const OffsetExprProto& expr,
                                           ParameterValue parameter) {
  return EvaluateAt(expr, 0, parameter);
}

absl::StatusOr<int64_t> WindowOffset(const OffsetList& offsets,
                                     const wire::ShapeProto& shape,
                                     const wire::ShapeProto& window,
                                     ParameterValue parameter) {
  ASSIGN_OR_RETURN(const TensorType type, TensorTypeOf(shape));
  const std::vector<int64_t> strides = ByteStrides(type);
  int64_t bytes = 0;
  for (const OffsetProto& offset : offsets) {
    const int64_t dimension = offset.dimension_number();
    if (dimension < 0 || dimension >= shape.dimensions_size() ||
        dimension >= window.dimensions_size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("an offset names dimension ", dimension, " of ", type.ToString()));
    }
    ASSIGN_OR_RETURN(const int64_t start, EvaluateAt(offset.offset(), 0, parameter));
    const int index = static_cast<int>(dimension);
    const int64_t last =
        std::max<int64_t>(shape.dimensions(index) - window.dimensions(index), 0);
    bytes += std::clamp<int64_t>(start, 0, last) * strides[index];
  }
  return bytes;
}

absl::Status CheckOffsetExpr(const OffsetExprProto& expr,
                             absl::FunctionRef<absl::Status(int64_t)> check_parameter) {
  return CheckAt(expr, 0, check_parameter);
}

}  // namespace thunky::schema
