#include "thunky/runtime/slice_offset.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::runtime {
namespace {

using OffsetProto = SliceOffset::OffsetProto;
using ExprProto = SliceOffset::ExprProto;

// Bytes between neighbours in each dimension of a dense array.
absl::StatusOr<std::vector<int64_t>> ByteStrides(const schema::TensorType& type) {
  if (type.storage_bits % 8 != 0) {
    return absl::UnimplementedError(
        absl::StrCat("a dynamic slice of ", type.ToString(), ": elements below a byte"));
  }
  const size_t rank = type.dimensions.size();
  std::vector<int64_t> order = type.minor_to_major;
  if (order.empty()) {
    for (size_t i = 0; i < rank; ++i) order.push_back(static_cast<int64_t>(rank - 1 - i));
  }
  std::vector<int64_t> strides(rank);
  int64_t stride = type.storage_bits / 8;
  for (int64_t dimension : order) {
    strides[static_cast<size_t>(dimension)] = stride;
    stride *= type.dimensions[static_cast<size_t>(dimension)];
  }
  return strides;
}

bool KnownKind(ExprProto::Kind kind) {
  return kind > ExprProto::KIND_UNKNOWN && kind <= ExprProto::SELECT;
}

// Collects the parameters of an expression; refuses kinds this build lacks.
absl::Status Collect(const ExprProto& expr, std::vector<uint32_t>* parameters) {
  if (!KnownKind(expr.kind())) {
    return absl::UnimplementedError(absl::StrCat(
        "offset expression kind ", static_cast<int>(expr.kind()), " is not supported"));
  }
  if (expr.kind() == ExprProto::PARAMETER) {
    parameters->push_back(static_cast<uint32_t>(expr.value()));
  }
  for (const ExprProto& operand : expr.operands()) {
    RETURN_IF_ERROR(Collect(operand, parameters));
  }
  return absl::OkStatus();
}

bool Compares(ExprProto::CompareDirection direction, int64_t a, int64_t b) {
  switch (direction) {
    case ExprProto::EQ:
      return a == b;
    case ExprProto::NE:
      return a != b;
    case ExprProto::GE:
      return a >= b;
    case ExprProto::GT:
      return a > b;
    case ExprProto::LE:
      return a <= b;
    case ExprProto::LT:
      return a < b;
    default:
      return false;
  }
}

// Integer arithmetic wraps, as it does on the device.
int64_t Wrapped(uint64_t bits) { return static_cast<int64_t>(bits); }

int64_t Value(const ExprProto& expr, const std::vector<int64_t>& scalars) {
  auto operand = [&](int i) { return Value(expr.operands(i), scalars); };
  auto bits = [&](int i) { return static_cast<uint64_t>(operand(i)); };
  switch (expr.kind()) {
    case ExprProto::CONSTANT:
      return expr.value();
    case ExprProto::PARAMETER:
      return scalars[static_cast<size_t>(expr.value())];
    case ExprProto::ADD:
      return Wrapped(bits(0) + bits(1));
    case ExprProto::SUBTRACT:
      return Wrapped(bits(0) - bits(1));
    case ExprProto::MULTIPLY:
      return Wrapped(bits(0) * bits(1));
    case ExprProto::COMPARE:
      return Compares(expr.compare_direction(), operand(0), operand(1)) ? 1 : 0;
    case ExprProto::SELECT:
      return operand(0) != 0 ? operand(1) : operand(2);
    default:
      return 0;  // Make refused every other kind.
  }
}

template <typename T>
int64_t Widen(const std::vector<uint8_t>& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return static_cast<int64_t>(value);
}

absl::StatusOr<int64_t> ScalarValue(wire::PrimitiveType type,
                                    const std::vector<uint8_t>& bytes) {
  ASSIGN_OR_RETURN(int bits, schema::ElementBits(type));
  if (bytes.size() * 8 != static_cast<size_t>(bits)) {
    return absl::InvalidArgumentError(absl::StrCat("an offset scalar of type ",
                                                   schema::ElementTypeName(type), " in ",
                                                   bytes.size(), " bytes"));
  }
  switch (type) {
    case wire::PRED:
    case wire::U8:
      return Widen<uint8_t>(bytes);
    case wire::U16:
      return Widen<uint16_t>(bytes);
    case wire::U32:
      return Widen<uint32_t>(bytes);
    case wire::U64:
      return Widen<uint64_t>(bytes);
    case wire::S8:
      return Widen<int8_t>(bytes);
    case wire::S16:
      return Widen<int16_t>(bytes);
    case wire::S32:
      return Widen<int32_t>(bytes);
    case wire::S64:
      return Widen<int64_t>(bytes);
    default:
      return absl::UnimplementedError(absl::StrCat("an offset scalar of type ",
                                                   schema::ElementTypeName(type),
                                                   ": not an integer"));
  }
}

}  // namespace

absl::StatusOr<std::optional<SliceOffset>> SliceOffset::Make(
    const wire::ShapeProto& shape, const wire::ShapeProto& slice_shape,
    const wire::DynamicSliceConfig* config,
    const google::protobuf::RepeatedPtrField<OffsetProto>& offsets,
    const google::protobuf::RepeatedPtrField<wire::BufferAllocationSliceProto>& scalars) {
  if (config == nullptr && offsets.empty()) return std::optional<SliceOffset>();
  ASSIGN_OR_RETURN(schema::TensorType whole, schema::TensorTypeOf(shape));
  ASSIGN_OR_RETURN(schema::TensorType slice, schema::TensorTypeOf(slice_shape));
  SliceOffset result;
  if (config != nullptr) {
    Progression progression;
    if (config->has_loop_index()) {
      progression.loop_index = static_cast<uint64_t>(config->loop_index());
    }
    progression.byte_offset = config->byte_offset();
    progression.byte_stride = config->byte_stride();
    progression.limit = schema::ByteSize(whole) - schema::ByteSize(slice);
    result.progression_ = progression;
    return std::optional<SliceOffset>(std::move(result));
  }
  ASSIGN_OR_RETURN(std::vector<int64_t> strides, ByteStrides(whole));
  for (const OffsetProto& offset : offsets) {
    const size_t d = static_cast<size_t>(offset.dimension_number());
    result.dimensions_.push_back({.start = offset.offset(),
                                  .limit = whole.dimensions[d] - slice.dimensions[d],
                                  .byte_stride = strides[d]});
    RETURN_IF_ERROR(Collect(offset.offset(), &result.parameters_));
  }
  std::sort(result.parameters_.begin(), result.parameters_.end());
  result.parameters_.erase(
      std::unique(result.parameters_.begin(), result.parameters_.end()),
      result.parameters_.end());
  for (uint32_t parameter : result.parameters_) {
    result.types_.push_back(scalars[static_cast<int>(parameter)].element_type());
  }
  return std::optional<SliceOffset>(std::move(result));
}

absl::StatusOr<uint64_t> SliceOffset::Evaluate(
    absl::Span<const std::vector<uint8_t>> scalars,
    absl::Span<const uint64_t> iterations) const {
  if (progression_.has_value()) return EvaluateProgression(iterations);
  std::vector<int64_t> values;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    values.resize(parameters_[i] + 1, 0);
    ASSIGN_OR_RETURN(values[parameters_[i]], ScalarValue(types_[i], scalars[i]));
  }
  int64_t bytes = 0;
  for (const Dimension& dimension : dimensions_) {
    const int64_t start = Value(dimension.start, values);
    bytes += std::clamp<int64_t>(start, 0, dimension.limit) * dimension.byte_stride;
  }
  return static_cast<uint64_t>(bytes);
}

absl::StatusOr<uint64_t> SliceOffset::EvaluateProgression(
    absl::Span<const uint64_t> iterations) const {
  const Progression& p = *progression_;
  uint64_t iteration = 0;
  if (p.byte_stride != 0) {
    if (p.loop_index >= iterations.size()) {
      return absl::FailedPreconditionError(
          absl::StrCat("the slice follows loop ", p.loop_index, ", but only ",
                       iterations.size(), " loops are around it"));
    }
    iteration = iterations[iterations.size() - 1 - p.loop_index];
  }
  int64_t offset = 0;
  const bool overflows =
      iteration > static_cast<uint64_t>(INT64_MAX) ||
      __builtin_mul_overflow(p.byte_stride, static_cast<int64_t>(iteration), &offset) ||
      __builtin_add_overflow(p.byte_offset, offset, &offset);
  if (overflows || offset < 0 || offset > p.limit) {
    return absl::OutOfRangeError(absl::StrCat(
        "iteration ", iteration, " puts the slice at byte ", p.byte_offset, " + ",
        iteration, " * ", p.byte_stride, ", the last place it fits is ", p.limit));
  }
  return static_cast<uint64_t>(offset);
}

BoundSliceOffset::BoundSliceOffset(const SliceOffset& offset,
                                   const std::vector<hal::DeviceSpan>& parameter_spans)
    : offset_(offset) {
  for (uint32_t parameter : offset.parameters()) {
    inputs_.push_back(parameter_spans[parameter]);
  }
}

}  // namespace thunky::runtime
