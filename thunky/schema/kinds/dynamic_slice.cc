// dynamic_slice_fusion: embedded thunks on windows of buffers.
#include "thunky/schema/dynamic_slice.h"

#include <set>
#include <vector>

#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::schema::kinds {
namespace {

using Fusion = wire::DynamicSliceFusionThunkProto;

// Bytes that the embedded thunks see of a result's buffer; -1 when the payload does
// not say.
int64_t WindowSize(const Fusion& fusion, int result) {
  const int64_t index = int64_t{fusion.parameters_size()} + result;
  if (index >= fusion.slice_allocations_size()) return -1;
  return fusion.slice_allocations(static_cast<int>(index)).size();
}

// The slice allocations that the embedded thunks only work in; none where they cannot
// all be looked into.
std::set<int64_t> Workspaces(const Fusion& fusion) {
  std::set<int64_t> workspaces;
  std::set<int64_t> others;
  for (const wire::ThunkProto& embedded : fusion.embedded_thunks().thunks()) {
    const absl::StatusOr<ThunkKind> kind = KindOf(embedded);
    if (!kind.ok() || RulesFor(*kind).children != nullptr) return {};
    for (const Access& access : AccessesOf(*kind, embedded)) {
      (access.workspace ? workspaces : others).insert(access.slice.allocation);
    }
  }
  for (const int64_t other : others) workspaces.erase(other);
  return workspaces;
}

void Accesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const Fusion& fusion = thunk.dynamic_slice_fusion_thunk();
  AddAll(fusion.parameter_buffers(), AccessMode::kRead, "parameter_buffers", accesses);
  // A window smaller than its buffer leaves the rest as it was.
  const int results = Listed(fusion.result_buffers_size());
  std::vector<bool> partial(results, false);
  std::vector<bool> used(results, false);
  const std::set<int64_t> workspaces = Workspaces(fusion);
  for (int j = 0; j < fusion.results_size(); ++j) {
    const int64_t number = fusion.results(j).result_number();
    if (number < 0 || number >= results) continue;
    const int64_t size = fusion.result_buffers(static_cast<int>(number)).size();
    if (WindowSize(fusion, j) != size) partial[number] = true;
    if (workspaces.count(int64_t{fusion.parameters_size()} + j) == 0) used[number] = true;
  }
  for (int i = 0; i < results; ++i) {
    accesses->push_back({SliceOf(fusion.result_buffers(i)),
                         partial[i] ? AccessMode::kReadWrite : AccessMode::kWrite,
                         Indexed("result_buffers", i), !workspaces.empty() && !used[i]});
  }
}

void Children(const wire::ThunkProto& thunk, std::vector<Child>* children) {
  const Fusion& fusion = thunk.dynamic_slice_fusion_thunk();
  children->push_back({"embedded", &fusion.embedded_thunks().thunks(), false,
                       &fusion.slice_allocations()});
}

// One window: how it lies in its buffer.
struct Window {
  const wire::BufferAllocationSliceProto& buffer;
  int64_t local_size;  // bytes of its slice allocation
  const wire::ShapeProto& shape;
  const wire::ShapeProto& window_shape;
  const wire::DynamicSliceConfig* config;  // null: none
  const OffsetList& offsets;
};

absl::Status CheckConfig(const wire::DynamicSliceConfig& config,
                         const VerifyContext& context) {
  if (!config.has_loop_index()) return absl::OkStatus();
  if (config.loop_index() >= 0 && config.loop_index() < context.enclosing_loops) {
    return absl::OkStatus();
  }
  return Invalid("has loop_index ", config.loop_index(), " inside ",
                 context.enclosing_loops,
                 " loops; 0 is the innermost one and the index must name one");
}

// The bytes of a window must be one run: from the minor dimensions on, whole
// dimensions, then at most one in part, then only single indices.
absl::Status CheckContiguous(const TensorType& type, const TensorType& window) {
  const int rank = static_cast<int>(type.dimensions.size());
  bool whole_so_far = true;
  for (int i = 0; i < rank; ++i) {
    const int64_t dimension =
        type.minor_to_major.empty() ? rank - 1 - i : type.minor_to_major[i];
    const int64_t length = window.dimensions[dimension];
    if (!whole_so_far && length > 1) {
      return Invalid("has window ", window.ToString(), " of ", type.ToString(),
                     ", which is not one run of bytes");
    }
    whole_so_far &= length == type.dimensions[dimension];
  }
  return absl::OkStatus();
}

absl::Status CheckSliced(const TensorType& type, const TensorType& window) {
  if (type.element_type != window.element_type) {
    return Invalid("has window ", window.ToString(), " of ", type.ToString(),
                   "; the element types must be equal");
  }
  if (type.dimensions.size() != window.dimensions.size()) {
    return Invalid("has window ", window.ToString(), " of ", type.ToString(),
                   "; the ranks must be equal");
  }
  for (size_t i = 0; i < type.dimensions.size(); ++i) {
    if (window.dimensions[i] <= type.dimensions[i]) continue;
    return Invalid("has window ", window.ToString(), " of ", type.ToString(),
                   ", which is longer in dimension ", i);
  }
  return CheckContiguous(type, window);
}

// Offsets read parameters as 4 or 8 byte integers.
absl::Status CheckOffsetParameter(const Fusion& fusion, int64_t number) {
  if (number < 0 || number >= fusion.parameter_buffers_size()) {
    return Invalid("an offset reads parameter ", number, " of ",
                   fusion.parameter_buffers_size());
  }
  const int64_t size = fusion.parameter_buffers(static_cast<int>(number)).size();
  if (size == 4 || size == 8) return absl::OkStatus();
  return Invalid("an offset reads parameter ", number, ", which has ", size,
                 " bytes; 4 or 8 are allowed");
}

absl::Status CheckOffsets(const Fusion& fusion, const OffsetList& offsets, int rank) {
  if (offsets.empty()) return absl::OkStatus();
  if (offsets.size() != rank) {
    return Invalid("has ", offsets.size(), " offsets for ", rank, " dimensions");
  }
  std::vector<bool> seen(rank, false);
  for (const OffsetProto& offset : offsets) {
    const int64_t dimension = offset.dimension_number();
    if (dimension < 0 || dimension >= rank || seen[dimension]) {
      return Invalid("has an offset for dimension ", dimension, "; each of the ", rank,
                     " dimensions must have one");
    }
    seen[dimension] = true;
    RETURN_IF_ERROR(CheckOffsetExpr(offset.offset(), [&](int64_t number) {
      return CheckOffsetParameter(fusion, number);
    }));
  }
  return absl::OkStatus();
}

absl::Status CheckWindow(const Fusion& fusion, const Window& window,
                         const VerifyContext& context) {
  ASSIGN_OR_RETURN(const TensorType type, TensorTypeOf(window.shape));
  ASSIGN_OR_RETURN(const TensorType part, TensorTypeOf(window.window_shape));
  if (ByteSize(type) != window.buffer.size()) {
    return Invalid("has a buffer of ", window.buffer.size(), " bytes; its shape ",
                   type.ToString(), " takes ", ByteSize(type));
  }
  if (ByteSize(part) != window.local_size) {
    return Invalid("has a slice allocation of ", window.local_size, " bytes; its window ",
                   part.ToString(), " takes ", ByteSize(part));
  }
  if (window.config == nullptr && window.offsets.empty()) {
    if (ByteSize(part) == ByteSize(type)) return absl::OkStatus();
    return Invalid("has window ", part.ToString(), " of ", type.ToString(),
                   " and nothing that says where");
  }
  RETURN_IF_ERROR(CheckSliced(type, part));
  if (window.config != nullptr) RETURN_IF_ERROR(CheckConfig(*window.config, context));
  return CheckOffsets(fusion, window.offsets, static_cast<int>(type.dimensions.size()));
}

absl::Status CheckNumber(int64_t number, int count, absl::string_view what) {
  if (number >= 0 && number < count) return absl::OkStatus();
  return Invalid("has ", what, " ", number, " of ", count);
}

absl::Status CheckParameter(const Fusion& fusion, int i, const AllocationTable& local,
                            const VerifyContext& context) {
  const Fusion::ParameterProto& parameter = fusion.parameters(i);
  RETURN_IF_ERROR(CheckNumber(parameter.parameter_number(),
                              fusion.parameter_buffers_size(), "parameter_number"));
  const int number = static_cast<int>(parameter.parameter_number());
  return CheckWindow(fusion,
                     {fusion.parameter_buffers(number), local.at(i).size(),
                      parameter.parameter_shape(), parameter.slice_shape(),
                      parameter.has_slice_config() ? &parameter.slice_config() : nullptr,
                      parameter.slice_offsets()},
                     context);
}

// A result that updates a parameter does so in place.
absl::Status CheckUpdated(const Fusion& fusion, const Fusion::ResultProto& result) {
  if (!result.has_parameter_number()) return absl::OkStatus();
  RETURN_IF_ERROR(CheckNumber(result.parameter_number(), fusion.parameter_buffers_size(),
                              "parameter_number"));
  const Slice parameter =
      SliceOf(fusion.parameter_buffers(static_cast<int>(result.parameter_number())));
  const Slice own =
      SliceOf(fusion.result_buffers(static_cast<int>(result.result_number())));
  if (parameter == own) return absl::OkStatus();
  return Invalid("updates parameter ", result.parameter_number(), " (",
                 ToString(parameter), ") in another buffer (", ToString(own), ")");
}

absl::Status CheckResult(const Fusion& fusion, int j, const AllocationTable& local,
                         const VerifyContext& context) {
  const Fusion::ResultProto& result = fusion.results(j);
  RETURN_IF_ERROR(
      CheckNumber(result.result_number(), fusion.result_buffers_size(), "result_number"));
  RETURN_IF_ERROR(CheckUpdated(fusion, result));
  const int number = static_cast<int>(result.result_number());
  return CheckWindow(fusion,
                     {fusion.result_buffers(number),
                      local.at(int64_t{fusion.parameters_size()} + j).size(),
                      result.result_shape(), result.update_shape(),
                      result.has_update_config() ? &result.update_config() : nullptr,
                      result.update_offsets()},
                     context);
}

absl::Status Verify(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const Fusion& fusion = thunk.dynamic_slice_fusion_thunk();
  // Windows of one buffer may overlap as they like, so overlaps are not checked.
  RETURN_IF_ERROR(
      CheckInAllocation(AccessesOf(ThunkKind::kDynamicSliceFusion, thunk), context));
  const auto local = AllocationTable::Of(fusion.slice_allocations());
  if (!local.ok()) return Invalid("slice_allocations: ", local.status().message());
  const int64_t windows = int64_t{fusion.parameters_size()} + fusion.results_size();
  if (local->count() != windows) {
    return Invalid("has ", local->count(), " slice_allocations for ",
                   fusion.parameters_size(), " parameters and ", fusion.results_size(),
                   " results; there must be one for each");
  }
  for (int i = 0; i < fusion.parameters_size(); ++i) {
    const absl::Status status = CheckParameter(fusion, i, *local, context);
    if (!status.ok()) return Invalid(Indexed("parameters", i), " ", status.message());
  }
  for (int j = 0; j < fusion.results_size(); ++j) {
    const absl::Status status = CheckResult(fusion, j, *local, context);
    if (!status.ok()) return Invalid(Indexed("results", j), " ", status.message());
  }
  return absl::OkStatus();
}

constexpr KindRules kRules[] = {
    {ThunkKind::kDynamicSliceFusion, Verify, Accesses, Children},
};

}  // namespace

absl::Span<const KindRules> DynamicSliceRules() { return kRules; }

}  // namespace thunky::schema::kinds
