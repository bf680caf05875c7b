#include "thunky/runtime/slice_offset.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::runtime {
namespace {

template <typename T>
int64_t Widen(const std::vector<uint8_t>& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), std::min(sizeof(T), bytes.size()));
  return static_cast<int64_t>(value);
}

using WidenFunction = int64_t (*)(const std::vector<uint8_t>&);

// Null for a type that is no integer.
WidenFunction WidenFunctionFor(wire::PrimitiveType type) {
  switch (type) {
    case wire::S8:
      return Widen<int8_t>;
    case wire::S16:
      return Widen<int16_t>;
    case wire::S32:
      return Widen<int32_t>;
    case wire::S64:
      return Widen<int64_t>;
    case wire::PRED:
    case wire::U8:
      return Widen<uint8_t>;
    case wire::U16:
      return Widen<uint16_t>;
    case wire::U32:
      return Widen<uint32_t>;
    case wire::U64:
      return Widen<uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

absl::Status FindParameters(
    const google::protobuf::RepeatedPtrField<wire::BufferAllocationSliceProto>& buffers,
    SliceOffset* offset) {
  // With a config nobody reads the parameters.
  if (offset->config.has_value()) return absl::OkStatus();
  for (const schema::OffsetProto& each : offset->offsets) {
    RETURN_IF_ERROR(schema::CheckOffsetExpr(each.offset(), [&](int64_t number) {
      offset->parameters.push_back(number);
      return absl::OkStatus();
    }));
  }
  std::vector<int64_t>& numbers = offset->parameters;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (int64_t number : numbers) {
    const wire::PrimitiveType type = buffers[static_cast<int>(number)].element_type();
    if (WidenFunctionFor(type) == nullptr) {
      return absl::UnimplementedError(
          absl::StrCat("the offset parameter ", number, " has type ",
                       schema::ElementTypeName(type), "; integers are supported"));
    }
    offset->parameter_types.push_back(type);
  }
  return absl::OkStatus();
}

BoundSliceOffset::BoundSliceOffset(const SliceOffset& offset,
                                   const std::vector<hal::DeviceSpan>& parameter_spans)
    : offset_(offset) {
  for (int64_t number : offset.parameters) {
    inputs_.push_back(parameter_spans[static_cast<size_t>(number)]);
  }
}

absl::StatusOr<uint64_t> BoundSliceOffset::Evaluate(
    absl::Span<const std::vector<uint8_t>> inputs,
    absl::Span<const uint64_t> iterations) const {
  if (offset_.config.has_value()) {
    std::vector<int64_t> loops(iterations.begin(), iterations.end());
    ASSIGN_OR_RETURN(const int64_t bytes,
                     schema::WindowOffset(*offset_.config, loops, offset_.buffer_size,
                                          offset_.window_size));
    return static_cast<uint64_t>(bytes);
  }
  auto parameter = [&](int64_t number) -> absl::StatusOr<int64_t> {
    const auto& numbers = offset_.parameters;
    const size_t at = static_cast<size_t>(
        std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin());
    return WidenFunctionFor(offset_.parameter_types[at])(inputs[at]);
  };
  ASSIGN_OR_RETURN(
      const int64_t bytes,
      schema::WindowOffset(offset_.offsets, offset_.shape, offset_.window, parameter));
  return static_cast<uint64_t>(bytes);
}

}  // namespace thunky::runtime
