// Work of a deep-learning library: convolutions, norms, compiled graphs.

#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

void ConvolutionAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const wire::ConvolutionThunkProto& convolution = thunk.convolution_thunk();
  AddAll(convolution.operand_buffers(), AccessMode::kRead, "operand_buffers", accesses);
  SliceSet operands;
  for (const Access& access : *accesses) operands.Insert(access.slice);
  const auto& results = convolution.result_buffers();
  for (int i = 0; i < Listed(results.size()); ++i) {
    const Slice slice = SliceOf(results[i]);
    const bool in_place = operands.Has(slice);
    accesses->push_back({slice, in_place ? AccessMode::kReadWrite : AccessMode::kWriteAll,
                         Indexed("result_buffers", i)});
  }
  if (convolution.has_scratch_buffer()) {
    accesses->push_back({SliceOf(convolution.scratch_buffer()), AccessMode::kWriteAll,
                         "scratch_buffer", true});
  }
}

absl::Status VerifyConvolution(const wire::ThunkProto& thunk,
                               const VerifyContext& context) {
  const wire::ConvolutionThunkProto& convolution = thunk.convolution_thunk();
  RETURN_IF_ERROR(CheckPresent(convolution.has_conv_descriptor(), "conv_descriptor"));
  if (convolution.operand_buffers_size() < 2 || convolution.result_buffers_size() < 1) {
    return Invalid("has ", convolution.operand_buffers_size(), " operands and ",
                   convolution.result_buffers_size(),
                   " results; at least 2 and 1 are needed");
  }
  RETURN_IF_ERROR(CheckShapedList(convolution.operand_buffers(), "operand_buffers"));
  RETURN_IF_ERROR(CheckShapedList(convolution.result_buffers(), "result_buffers"));
  return CheckOwnAccesses(ThunkKind::kConvolution, thunk, context);
}

void ReorderAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const wire::ConvolutionReorderThunkProto& reorder = thunk.convolution_reorder_thunk();
  accesses->push_back(
      {SliceOf(reorder.filter_input()), AccessMode::kRead, "filter_input"});
  if (reorder.has_biases()) {
    accesses->push_back(
        {SliceOf(reorder.biases().bias_input()), AccessMode::kRead, "bias_input"});
    AddOutput(SliceOf(reorder.biases().bias_output()), "bias_output", accesses);
  }
  AddOutput(SliceOf(reorder.filter_output()), "filter_output", accesses);
}

absl::Status VerifyReorder(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::ConvolutionReorderThunkProto& reorder = thunk.convolution_reorder_thunk();
  RETURN_IF_ERROR(CheckShaped(reorder.filter_input(), "filter_input"));
  RETURN_IF_ERROR(CheckShaped(reorder.filter_output(), "filter_output"));
  if (reorder.has_biases()) {
    RETURN_IF_ERROR(CheckShaped(reorder.biases().bias_input(), "bias_input"));
    RETURN_IF_ERROR(CheckShaped(reorder.biases().bias_output(), "bias_output"));
  }
  return CheckOwnAccesses(ThunkKind::kConvolutionReorder, thunk, context);
}

using Norm = wire::NormThunkProto;
using NormKind = wire::CudnnNormBackendConfig;

// What a norm does with one of its buffers, forward and backward.
struct NormBuffer {
  const char* role;
  bool (Norm::*present)() const;
  const wire::BufferAllocationSliceProto& (Norm::*get)() const;
  bool output_forward;
  bool output_backward;
  bool required;
  bool workspace = false;
};

constexpr NormBuffer kNormBuffers[] = {
    {"x", &Norm::has_x, &Norm::x, false, false, true},
    {"scale", &Norm::has_scale, &Norm::scale, false, false, true},
    {"bias", &Norm::has_bias, &Norm::bias, false, false, false},
    {"dy", &Norm::has_dy, &Norm::dy, false, false, false},
    {"expectation", &Norm::has_expectation, &Norm::expectation, true, false, false},
    {"norm_factor", &Norm::has_norm_factor, &Norm::norm_factor, true, false, false},
    {"y_or_dx", &Norm::has_y_or_dx, &Norm::y_or_dx, true, true, true},
    {"dscale", &Norm::has_dscale, &Norm::dscale, true, true, false},
    {"dbias", &Norm::has_dbias, &Norm::dbias, true, true, false},
    {"scratch", &Norm::has_scratch, &Norm::scratch, true, true, false, true},
};

void NormAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const Norm& norm = thunk.norm_thunk();
  const bool backward =
      norm.norm_descriptor().backend_config().kind() == NormKind::LAYER_BWD;
  for (const NormBuffer& buffer : kNormBuffers) {
    if (!(norm.*buffer.present)()) continue;
    const Slice slice = SliceOf((norm.*buffer.get)());
    if (backward ? buffer.output_backward : buffer.output_forward) {
      AddOutput(slice, buffer.role, accesses);
      accesses->back().workspace = buffer.workspace;
    } else {
      accesses->push_back({slice, AccessMode::kRead, buffer.role});
    }
  }
}

absl::Status VerifyNorm(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const Norm& norm = thunk.norm_thunk();
  RETURN_IF_ERROR(CheckPresent(norm.has_norm_descriptor(), "norm_descriptor"));
  const NormKind::Kind kind = norm.norm_descriptor().backend_config().kind();
  if (!NormKind::Kind_IsValid(kind)) {
    return Invalid("the norm's kind is ", static_cast<int>(kind),
                   ", which this build does not know");
  }
  for (const NormBuffer& buffer : kNormBuffers) {
    if (!buffer.required) continue;
    RETURN_IF_ERROR(CheckPresent((norm.*buffer.present)(), buffer.role));
  }
  return CheckOwnAccesses(ThunkKind::kNorm, thunk, context);
}

void CudnnAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const wire::CudnnThunkProto& cudnn = thunk.cudnn_thunk();
  for (int i = 0; i < Listed(cudnn.args_size()); ++i) {
    const bool output = i < cudnn.output_args_size() && cudnn.output_args(i);
    accesses->push_back({SliceOf(cudnn.args(i)),
                         output ? AccessMode::kWrite : AccessMode::kRead,
                         Indexed("args", i)});
  }
}

absl::Status VerifyCudnn(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::CudnnThunkProto& cudnn = thunk.cudnn_thunk();
  if (cudnn.fingerprint().empty()) return Invalid("fingerprint is missing");
  if (cudnn.args_size() != cudnn.output_args_size()) {
    return Invalid("has ", cudnn.args_size(), " args and ", cudnn.output_args_size(),
                   " output_args flags; there must be one flag an argument");
  }
  RETURN_IF_ERROR(CheckShapedList(cudnn.args(), "args"));
  return CheckOwnAccesses(ThunkKind::kCudnn, thunk, context);
}

constexpr KindRules kRules[] = {
    {ThunkKind::kConvolution, VerifyConvolution, ConvolutionAccesses, nullptr},
    {ThunkKind::kConvolutionReorder, VerifyReorder, ReorderAccesses, nullptr},
    {ThunkKind::kNorm, VerifyNorm, NormAccesses, nullptr},
    {ThunkKind::kCudnn, VerifyCudnn, CudnnAccesses, nullptr},
};

}  // namespace

absl::Span<const KindRules> DnnRules() { return kRules; }

}  // namespace thunky::schema::kinds
