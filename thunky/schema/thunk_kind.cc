#include "thunky/schema/thunk_kind.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/unknown_field_set.h"

namespace thunky::schema {
namespace {

using Entry = std::pair<ThunkKind, std::string>;

const std::vector<Entry>& Entries() {
  static const auto& entries = *new std::vector<Entry>{
      {ThunkKind::kSequential, "sequential"},
      {ThunkKind::kCopy, "copy"},
      {ThunkKind::kDeviceToHostCopy, "device_to_host_copy"},
      {ThunkKind::kHostToDeviceCopy, "host_to_device_copy"},
      {ThunkKind::kConditional, "conditional"},
      {ThunkKind::kWhile, "while"},
      {ThunkKind::kKernel, "kernel"},
      {ThunkKind::kGemm, "gemm"},
      {ThunkKind::kTriangularSolve, "triangular_solve"},
      {ThunkKind::kReplicaId, "replica_id"},
      {ThunkKind::kDeviceToDeviceCopy, "device_to_device_copy"},
      {ThunkKind::kPartitionId, "partition_id"},
      {ThunkKind::kCudnn, "cudnn"},
      {ThunkKind::kHostExecuteStart, "host_execute_start"},
      {ThunkKind::kHostExecuteDone, "host_execute_done"},
      {ThunkKind::kMemzero, "memzero"},
      {ThunkKind::kSelectK, "select_k"},
      {ThunkKind::kInfeed, "infeed"},
      {ThunkKind::kCublasLtMatmul, "cublas_lt_matmul"},
      {ThunkKind::kOutfeed, "outfeed"},
      {ThunkKind::kNorm, "norm"},
      {ThunkKind::kConvolution, "convolution"},
      {ThunkKind::kConvolutionReorder, "convolution_reorder"},
      {ThunkKind::kFft, "fft"},
      {ThunkKind::kMemset32, "memset32"},
      {ThunkKind::kCustomCall, "custom_call"},
      {ThunkKind::kHostSend, "host_send"},
      {ThunkKind::kHostSendDone, "host_send_done"},
      {ThunkKind::kHostRecv, "host_recv"},
      {ThunkKind::kHostRecvDone, "host_recv_done"},
      {ThunkKind::kCustomKernel, "custom_kernel"},
      {ThunkKind::kAllGather, "all_gather"},
      {ThunkKind::kAllReduce, "all_reduce"},
      {ThunkKind::kReduceScatter, "reduce_scatter"},
      {ThunkKind::kAllToAll, "all_to_all"},
      {ThunkKind::kRaggedAllToAll, "ragged_all_to_all"},
      {ThunkKind::kCollectivePermute, "collective_permute"},
      {ThunkKind::kSend, "send"},
      {ThunkKind::kRecv, "recv"},
      {ThunkKind::kCollectiveBroadcast, "collective_broadcast"},
      {ThunkKind::kCollectiveGroup, "collective_group"},
      {ThunkKind::kAsyncStart, "async_start"},
      {ThunkKind::kAsyncDone, "async_done"},
      {ThunkKind::kCollectiveKernel, "collective_kernel"},
      {ThunkKind::kDynamicSliceFusion, "dynamic_slice_fusion"},
      {ThunkKind::kRngSeed, "rng_seed"},
  };
  return entries;
}

}  // namespace

absl::Span<const ThunkKind> AllKinds() {
  static const auto& kinds = *[] {
    auto* list = new std::vector<ThunkKind>;
    for (const Entry& entry : Entries()) list->push_back(entry.first);
    return list;
  }();
  return kinds;
}

absl::StatusOr<ThunkKind> KindOf(const wire::ThunkProto& thunk) {
  if (thunk.impl_case() != wire::ThunkProto::IMPL_NOT_SET) {
    return static_cast<ThunkKind>(thunk.impl_case());
  }
  const auto& unknown = thunk.GetReflection()->GetUnknownFields(thunk);
  if (unknown.field_count() == 0) {
    return absl::UnimplementedError(
        "a thunk kind this build does not know (no kind is set)");
  }
  return absl::UnimplementedError(absl::StrCat(
      "a thunk kind this build does not know (field ", unknown.field(0).number(), ")"));
}

const std::string& KindName(ThunkKind kind) {
  static const auto& names =
      *new std::map<ThunkKind, std::string>(Entries().begin(), Entries().end());
  static const auto& none = *new std::string("unknown kind");
  const auto it = names.find(kind);
  return it == names.end() ? none : it->second;
}

std::string KindNameOf(const wire::ThunkProto& thunk) {
  const absl::StatusOr<ThunkKind> kind = KindOf(thunk);
  if (kind.ok()) return KindName(*kind);
  const auto& unknown = thunk.GetReflection()->GetUnknownFields(thunk);
  if (unknown.field_count() == 0) return "unknown_kind";
  return absl::StrCat("unknown_kind_", unknown.field(0).number());
}

}  // namespace thunky::schema
