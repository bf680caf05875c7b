// Thunks as protos, for programs written by hand. Every function returns a thunk
// without id; ProgramBuilder::Build numbers them.
#ifndef THUNKY_TEST_PROGRAMS_THUNK_PROTOS_H_
#define THUNKY_TEST_PROGRAMS_THUNK_PROTOS_H_

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proto/executable.pb.h"
#include "proto/shape.pb.h"
#include "proto/thunk.pb.h"
#include "thunky/hal/kernel.h"

namespace thunky::program_tests {

using Dims = std::vector<int64_t>;
using Thunks = std::vector<wire::ThunkProto>;

// Bytes of one element of `type` (8 bits or more).
int64_t ElementBytes(wire::PrimitiveType type);
// A dense row-major array.
wire::ShapeProto ShapeOf(wire::PrimitiveType type, const Dims& dims);

// A typed window on a buffer allocation.
struct Ref {
  int64_t allocation = 0;
  int64_t offset = 0;  // bytes
  wire::PrimitiveType type = wire::U8;
  Dims dims;

  int64_t size() const;  // bytes
  // `count` elements from element `first` on, as one dimension.
  Ref Elements(int64_t first, int64_t count) const;
  wire::BufferAllocationSliceProto Slice() const;
  wire::ShapedSliceProto ShapedSlice() const;
};

// One kernel parameter: the address of a buffer, or bytes by value.
struct KernelArgument {
  std::optional<Ref> buffer;
  bool written = false;
  std::string bytes;
};
KernelArgument Read(Ref buffer);
KernelArgument Written(Ref buffer);
template <typename T>
KernelArgument ByValue(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return {.buffer = std::nullopt, .written = false, .bytes = std::move(bytes)};
}

struct KernelCall {
  std::string ptx;
  std::string entry;
  hal::Dim3 grid;
  hal::Dim3 block;
  int64_t shared_bytes = 0;
  std::vector<KernelArgument> arguments;
  std::string annotation;  // empty: the entry's name
};
// Always with an argument packing spec.
wire::ThunkProto Kernel(const KernelCall& call);

wire::ThunkProto Copy(const Ref& source, const Ref& destination);
wire::ThunkProto Memzero(const Ref& destination);
wire::ThunkProto Memset32(const Ref& destination, uint32_t value);
wire::ThunkProto PartitionId(const Ref& destination);
wire::ThunkProto ReplicaId(const Ref& destination);
wire::ThunkProto Sequential(Thunks thunks);
wire::ThunkProto While(const Ref& predicate, Thunks condition, Thunks body,
                       std::optional<int64_t> trip_count = std::nullopt);
wire::ThunkProto Conditional(const Ref& index, std::vector<Thunks> branches);

enum class StreamKind { kComputation, kCommunication };
wire::ThunkProto AsyncStart(uint64_t id, StreamKind kind, uint64_t stream, Thunks body);
wire::ThunkProto AsyncDone(uint64_t id);

// A custom call of the typed API.
wire::ThunkProto CustomCall(const std::string& target, const std::vector<Ref>& operands,
                            const std::vector<Ref>& results);

// Start indices of a dynamic slice, one a dimension.
using OffsetExpr = wire::DynamicSliceFusionThunkProto::OffsetExprProto;
OffsetExpr ConstantOffset(int64_t value);
OffsetExpr ParameterOffset(int64_t parameter);
// ADD, SUBTRACT, MULTIPLY or SELECT of operands.
OffsetExpr CombinedOffset(OffsetExpr::Kind kind, std::vector<OffsetExpr> operands);
OffsetExpr ComparedOffset(OffsetExpr::CompareDirection direction, OffsetExpr a,
                          OffsetExpr b);

// byte_offset + byte_stride * iteration of a loop around; 0 is the innermost.
struct IterationOffset {
  int64_t loop = 0;
  int64_t byte_offset = 0;
  int64_t byte_stride = 0;
};

// The part of a buffer that the embedded thunks see. Without iteration and starts
// it is the whole buffer.
struct SlicePart {
  Dims dims;
  std::optional<IterationOffset> iteration;
  std::vector<OffsetExpr> starts;
};

struct FusionParameter {
  int64_t number = 0;  // of `parameters`
  SlicePart part;
};
struct FusionResult {
  Ref buffer;
  SlicePart part;
  std::optional<int64_t> parameter;  // updated in place
};
struct SliceFusion {
  std::vector<Ref> parameters;
  std::vector<FusionParameter> inputs;
  std::vector<FusionResult> results;
  // Their slices count the inputs, then the results, from 0.
  Thunks embedded;
  std::string annotation;
};
wire::ThunkProto DynamicSliceFusion(const SliceFusion& fusion);

// `thunk` with another annotation.
wire::ThunkProto Annotated(wire::ThunkProto thunk, const std::string& annotation);

}  // namespace thunky::program_tests

#endif  // THUNKY_TEST_PROGRAMS_THUNK_PROTOS_H_
