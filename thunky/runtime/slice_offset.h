// Where a dynamic slice starts.
#ifndef THUNKY_RUNTIME_SLICE_OFFSET_H_
#define THUNKY_RUNTIME_SLICE_OFFSET_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "proto/thunk.pb.h"
#include "thunky/hal/recorder.h"

namespace thunky::runtime {

// The byte offset of a slice in its buffer: either an arithmetic progression over
// the iterations of an enclosing loop, or start indices computed from scalars on the
// device, clamped so that the slice stays inside (as XLA's dynamic-slice does).
//
// XLA's files may carry both descriptions of one offset; the progression is then
// used, since it needs no read of device memory.
class SliceOffset {
 public:
  using OffsetProto = wire::DynamicSliceFusionThunkProto::OffsetProto;
  using ExprProto = wire::DynamicSliceFusionThunkProto::OffsetExprProto;

  // `shape` is the buffer's, `scalars` the fusion's parameters by number. nullopt
  // when neither description is given: the slice is the whole buffer. Unimplemented
  // for an expression kind this build does not know. Everything else was verified.
  static absl::StatusOr<std::optional<SliceOffset>> Make(
      const wire::ShapeProto& shape, const wire::ShapeProto& slice_shape,
      const wire::DynamicSliceConfig* config,
      const google::protobuf::RepeatedPtrField<OffsetProto>& offsets,
      const google::protobuf::RepeatedPtrField<wire::BufferAllocationSliceProto>&
          scalars);

  // Parameter numbers whose scalars Evaluate needs, ascending, each once.
  const std::vector<uint32_t>& parameters() const { return parameters_; }

  // Bytes. `scalars[i]` holds the scalar of parameters()[i]. `iterations`: innermost loop
  // last. OutOfRange when a progression leaves the buffer.
  absl::StatusOr<uint64_t> Evaluate(absl::Span<const std::vector<uint8_t>> scalars,
                                    absl::Span<const uint64_t> iterations) const;

 private:
  struct Progression {
    uint64_t loop_index = 0;  // 0 is the innermost loop
    int64_t byte_offset = 0;
    int64_t byte_stride = 0;
    int64_t limit = 0;  // largest legal byte offset
  };
  struct Dimension {
    ExprProto start;
    int64_t limit = 0;        // largest legal start index
    int64_t byte_stride = 0;  // bytes between neighbours in this dimension
  };

  absl::StatusOr<uint64_t> EvaluateProgression(
      absl::Span<const uint64_t> iterations) const;

  std::optional<Progression> progression_;
  std::vector<Dimension> dimensions_;
  std::vector<uint32_t> parameters_;
  std::vector<wire::PrimitiveType> types_;  // of parameters_, in the same order
};

// A SliceOffset with the device memory of its scalars: what a recorder evaluates.
class BoundSliceOffset : public hal::OffsetSource {
 public:
  // `parameter_spans[n]`: the buffer of parameter n. `offset` must outlive this.
  BoundSliceOffset(const SliceOffset& offset,
                   const std::vector<hal::DeviceSpan>& parameter_spans);

  std::vector<hal::DeviceSpan> inputs() const override { return inputs_; }
  absl::StatusOr<uint64_t> Evaluate(
      absl::Span<const std::vector<uint8_t>> inputs,
      absl::Span<const uint64_t> iterations) const override {
    return offset_.Evaluate(inputs, iterations);
  }

 private:
  const SliceOffset& offset_;
  std::vector<hal::DeviceSpan> inputs_;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_SLICE_OFFSET_H_
