#include "thunky/runtime/thunks/dynamic_slice_fusion_thunk.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/runtime/slice_offset.h"
#include "thunky/schema/access.h"

namespace thunky::runtime {
namespace {

using Proto = wire::DynamicSliceFusionThunkProto;

// A local allocation of the embedded thunks: a window on a buffer of the program.
struct LocalBuffer {
  schema::Slice base;
  SliceOffset offset;
};

class DynamicSliceFusionThunk : public Thunk {
 public:
  DynamicSliceFusionThunk(ThunkInfo info, std::vector<schema::Slice> parameters,
                          std::vector<LocalBuffer> locals, ThunkSequence embedded)
      : Thunk(std::move(info)),
        parameters_(std::move(parameters)),
        locals_(std::move(locals)),
        embedded_(std::move(embedded)) {}

  absl::Status Prepare(const PrepareContext& context) const override {
    return embedded_.Prepare(context);
  }

  absl::Status Record(const RecordContext& context,
                      hal::Recorder& recorder) const override {
    std::vector<hal::DeviceSpan> scalars;
    scalars.reserve(parameters_.size());
    for (const schema::Slice& parameter : parameters_) {
      scalars.push_back(context.buffers.Resolve(parameter));
    }
    std::vector<BoundSliceOffset> bound;
    bound.reserve(locals_.size());
    for (const LocalBuffer& local : locals_) {
      if (local.offset.moves()) bound.emplace_back(local.offset, scalars);
    }
    std::vector<const hal::OffsetSource*> sources;
    sources.reserve(bound.size());
    for (const BoundSliceOffset& source : bound) sources.push_back(&source);
    return recorder.WithOffsets(
        sources, [&](hal::Recorder& inner, absl::Span<const uint64_t> offsets) {
          return RecordEmbedded(context, inner, offsets);
        });
  }

  bool forks() const override { return embedded_.forks(); }

 private:
  absl::Status RecordEmbedded(const RecordContext& context, hal::Recorder& recorder,
                              absl::Span<const uint64_t> offsets) const {
    std::vector<hal::DeviceSpan> spans;
    spans.reserve(locals_.size());
    size_t next = 0;
    for (const LocalBuffer& local : locals_) {
      const uint64_t offset = local.offset.moves() ? offsets[next++] : 0;
      spans.push_back(
          context.buffers.Resolve(local.base)
              .Slice(offset, static_cast<uint64_t>(local.offset.window_size)));
    }
    const BufferTable buffers(std::move(spans));
    const RecordContext inner{.buffers = buffers,
                              .kernels = context.kernels,
                              .tokens = context.tokens,
                              .replica_id = context.replica_id,
                              .partition_id = context.partition_id};
    return embedded_.Record(inner, recorder);
  }

  std::vector<schema::Slice> parameters_;
  std::vector<LocalBuffer> locals_;
  ThunkSequence embedded_;
};

// The local allocations are the sliced parameters, then the results, both in list
// order; schema verification has checked that their sizes and shapes agree.
absl::StatusOr<std::vector<LocalBuffer>> LocalBuffersOf(const Proto& proto) {
  std::vector<LocalBuffer> locals;
  for (const Proto::ParameterProto& parameter : proto.parameters()) {
    LocalBuffer& local = locals.emplace_back();
    local.base = schema::SliceOf(
        proto.parameter_buffers(static_cast<int>(parameter.parameter_number())));
    local.offset.offsets = parameter.slice_offsets();
    local.offset.shape = parameter.parameter_shape();
    local.offset.window = parameter.slice_shape();
    if (parameter.has_slice_config()) local.offset.config = parameter.slice_config();
  }
  for (const Proto::ResultProto& result : proto.results()) {
    LocalBuffer& local = locals.emplace_back();
    local.base =
        schema::SliceOf(proto.result_buffers(static_cast<int>(result.result_number())));
    local.offset.offsets = result.update_offsets();
    local.offset.shape = result.result_shape();
    local.offset.window = result.update_shape();
    if (result.has_update_config()) local.offset.config = result.update_config();
  }
  for (size_t i = 0; i < locals.size(); ++i) {
    SliceOffset& offset = locals[i].offset;
    offset.buffer_size = locals[i].base.size;
    offset.window_size = proto.slice_allocations(static_cast<int>(i)).size();
    RETURN_IF_ERROR(FindParameters(proto.parameter_buffers(), &offset));
  }
  return locals;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> DecodeDynamicSliceFusion(
    const wire::ThunkProto& proto, ThunkInfo info, Decoder& decoder) {
  const Proto& fusion = proto.dynamic_slice_fusion_thunk();
  std::vector<schema::Slice> parameters;
  for (const auto& buffer : fusion.parameter_buffers()) {
    parameters.push_back(schema::SliceOf(buffer));
  }
  ASSIGN_OR_RETURN(std::vector<LocalBuffer> locals, LocalBuffersOf(fusion));
  ASSIGN_OR_RETURN(
      ThunkSequence embedded,
      decoder.DecodeSequence(fusion.embedded_thunks(),
                             absl::StrCat(info.path, ".dynamic_slice_fusion.embedded")));
  return std::make_unique<DynamicSliceFusionThunk>(
      std::move(info), std::move(parameters), std::move(locals), std::move(embedded));
}

}  // namespace thunky::runtime
