// Where a dynamic_slice_fusion thunk's slices lie.
//
// The thunk runs embedded thunks on windows of buffers. Embedded slices count in
// slice_allocations: entry i < parameters is the window of parameters(i), of the
// buffer parameter_buffers[parameters(i).parameter_number]; entry parameters + j is
// the window of results(j), of result_buffers[results(j).result_number].
//
// With a config the window starts at byte_offset + iteration * byte_stride, where
// `iteration` counts from 0 and belongs to loop `loop_index` of the enclosing
// `while` thunks: 0 is the INNERMOST loop, the largest index the outermost. Without
// a loop_index the stride does not count. XLA's runtime keeps the loops outermost
// first and takes element size - 1 - loop_index (ComputeSliceOffset in
// backends/gpu/runtime/dynamic_slice_fusion_v2_thunk.cc); an index past the loops
// is taken as iteration 0 there and is an error here. The condition region of a
// loop counts as inside it, as there.
//
// The per-dimension offsets state the same place as start indices: expressions in
// 64-bit integers over constants and over the values of the fusion's parameters,
// which are scalars of 4 or 8 bytes read on the device. compare gives 0 or 1, select
// takes its second operand unless the first is 0 (Evaluate in
// backends/gpu/transforms/dynamic_slice_fusion.cc). Where a config is present they
// only serve to check it (verify_offsets). Where neither is present the window is
// the whole buffer.
//
// A start outside the buffer is no error: as HLO's dynamic-slice does, it moves to
// the nearest place where the window fits.
#ifndef THUNKY_SCHEMA_DYNAMIC_SLICE_H_
#define THUNKY_SCHEMA_DYNAMIC_SLICE_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "proto/thunk.pb.h"

namespace thunky::schema {

using OffsetProto = wire::DynamicSliceFusionThunkProto::OffsetProto;
using OffsetExprProto = wire::DynamicSliceFusionThunkProto::OffsetExprProto;
using OffsetList = google::protobuf::RepeatedPtrField<OffsetProto>;

// Expressions nested deeper than this are refused.
inline constexpr int kMaxOffsetDepth = 64;

// The start of the window in bytes by its config, moved into [0, buffer_size -
// window_size]. `iterations` are those of the enclosing loops, outermost first.
// InvalidArgument when loop_index names none of them. Needs 0 <= window_size <=
// buffer_size. Sums that leave int64 count as the nearest end.
absl::StatusOr<int64_t> WindowOffset(const wire::DynamicSliceConfig& config,
                                     absl::Span<const int64_t> iterations,
                                     int64_t buffer_size, int64_t window_size);

// The value of an offset expression; arithmetic wraps at 64 bits. `parameter` gives
// the value of the fusion parameter of a number. InvalidArgument for what
// CheckOffsetExpr refuses; errors of `parameter` are passed on.
absl::StatusOr<int64_t> EvaluateOffsetExpr(
    const OffsetExprProto& expr,
    absl::FunctionRef<absl::StatusOr<int64_t>(int64_t number)> parameter);

// The start of the window in bytes by its offsets: each start index is moved into
// [0, dimension - window dimension], then multiplied by the dimension's byte stride.
// `shape` and `window` are the buffer's and the window's, verified.
absl::StatusOr<int64_t> WindowOffset(
    const OffsetList& offsets, const wire::ShapeProto& shape,
    const wire::ShapeProto& window,
    absl::FunctionRef<absl::StatusOr<int64_t>(int64_t number)> parameter);

// Kinds and operand counts are known ones, the depth is bounded and every
// parameter passes `check_parameter`.
absl::Status CheckOffsetExpr(
    const OffsetExprProto& expr,
    absl::FunctionRef<absl::Status(int64_t number)> check_parameter);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_DYNAMIC_SLICE_H_
