// Where a dynamic slice starts: the rules are schema/dynamic_slice.h's; this binds
// them to a run's memory and loops.
#ifndef THUNKY_RUNTIME_SLICE_OFFSET_H_
#define THUNKY_RUNTIME_SLICE_OFFSET_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "proto/thunk.pb.h"
#include "thunky/hal/recorder.h"
#include "thunky/schema/dynamic_slice.h"

namespace thunky::runtime {

// The place of one window, as the file describes it. Where the file gives both a
// config and offsets, the config counts: it needs no read of device memory.
struct SliceOffset {
  std::optional<wire::DynamicSliceConfig> config;
  schema::OffsetList offsets;
  wire::ShapeProto shape;   // of the buffer
  wire::ShapeProto window;  // of the slice
  int64_t buffer_size = 0;  // bytes
  int64_t window_size = 0;  // bytes
  // Numbers of the fusion's parameters that `offsets` read, ascending, each once,
  // and their element types.
  std::vector<int64_t> parameters;
  std::vector<wire::PrimitiveType> parameter_types;

  // Whether the window is anything but the whole buffer.
  bool moves() const { return config.has_value() || !offsets.empty(); }
};

// Fills in `parameters` and `parameter_types`, from the fusion's parameter buffers
// by number. Unimplemented for a parameter whose type is no integer.
absl::Status FindParameters(
    const google::protobuf::RepeatedPtrField<wire::BufferAllocationSliceProto>& buffers,
    SliceOffset* offset);

// A SliceOffset with the device memory of its scalars: what a recorder evaluates.
class BoundSliceOffset : public hal::OffsetSource {
 public:
  // `parameter_spans[n]`: the buffer of parameter n. `offset` must outlive this.
  BoundSliceOffset(const SliceOffset& offset,
                   const std::vector<hal::DeviceSpan>& parameter_spans);

  std::vector<hal::DeviceSpan> inputs() const override { return inputs_; }
  absl::StatusOr<uint64_t> Evaluate(absl::Span<const std::vector<uint8_t>> inputs,
                                    absl::Span<const uint64_t> iterations) const override;

 private:
  const SliceOffset& offset_;
  std::vector<hal::DeviceSpan> inputs_;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_SLICE_OFFSET_H_
