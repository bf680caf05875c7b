#include "thunky/tooling/program_summary.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/executable_rules.h"
#include "thunky/schema/kinds.h"
#include "thunky/schema/release.h"
#include "thunky/schema/walk.h"

namespace thunky::tooling {
namespace {

using schema::ThunkKind;

// "sum" of "REDUCTION_KIND_SUM"; the number of an enumerator without a name.
std::string ShortName(const std::string& name, absl::string_view prefix, int number) {
  if (name.empty()) return absl::StrCat(number);
  return absl::AsciiStrToLower(absl::string_view(name).substr(prefix.size()));
}

std::string ReductionName(wire::ReductionKindProto kind) {
  return ShortName(wire::ReductionKindProto_Name(kind), "REDUCTION_KIND_", kind);
}

std::string StreamName(const wire::AsyncStartThunkProto& start) {
  using Proto = wire::AsyncStartThunkProto;
  if (start.execution_stream_id_case() == Proto::kCommunicationStreamId) {
    return absl::StrCat("communication stream ", start.communication_stream_id());
  }
  return absl::StrCat("computation stream ", start.computation_stream_id());
}

std::string DescribeAsync(const wire::ThunkProto& thunk) {
  return absl::StrCat("id ", thunk.async_start_thunk().async_execution_id(), " on ",
                      StreamName(thunk.async_start_thunk()));
}

std::string DescribeWhile(const wire::WhileThunkProto& loop) {
  return loop.has_trip_count() ? absl::StrCat("trip count ", loop.trip_count())
                               : "until its condition is false";
}

// What a thunk has to say of itself beyond its kind and its buffers.
std::string DetailOf(ThunkKind kind, const wire::ThunkProto& thunk) {
  switch (kind) {
    case ThunkKind::kKernel:
    case ThunkKind::kCustomKernel: {
      const std::optional<KernelLaunch> launch = LaunchOf(kind, thunk);
      return absl::StrCat(launch->entry, ": ", launch->DescribeShape());
    }
    case ThunkKind::kCustomCall:
      return thunk.custom_call_thunk().target_name();
    case ThunkKind::kConditional:
      return absl::StrCat(thunk.conditional_thunk().branch_thunks_size(), " branches");
    case ThunkKind::kWhile:
      return DescribeWhile(thunk.while_thunk());
    case ThunkKind::kAsyncStart:
      return DescribeAsync(thunk);
    case ThunkKind::kAsyncDone:
      return absl::StrCat("id ", thunk.async_done_thunk().async_execution_id());
    case ThunkKind::kMemset32:
      return absl::StrCat("value 0x", absl::Hex(thunk.memset32bit_value_thunk().value()));
    case ThunkKind::kAllReduce:
      return ReductionName(thunk.all_reduce_thunk().reduction_kind());
    case ThunkKind::kReduceScatter:
      return ReductionName(thunk.reduce_scatter_thunk().reduction_kind());
    default:
      return "";
  }
}

const wire::CollectiveConfigProto* CollectiveConfigOf(ThunkKind kind,
                                                      const wire::ThunkProto& thunk) {
  switch (kind) {
    case ThunkKind::kAllGather:
      return &thunk.all_gather_thunk().collective_config();
    case ThunkKind::kAllReduce:
      return &thunk.all_reduce_thunk().collective_config();
    case ThunkKind::kReduceScatter:
      return &thunk.reduce_scatter_thunk().collective_config();
    case ThunkKind::kAllToAll:
      return &thunk.all_to_all_thunk().collective_config();
    case ThunkKind::kRaggedAllToAll:
      return &thunk.ragged_all_to_all_thunk().collective_config();
    case ThunkKind::kCollectivePermute:
      return &thunk.collective_permute_thunk().collective_config();
    case ThunkKind::kCollectiveBroadcast:
      return &thunk.collective_broadcast_thunk().collective_config();
    case ThunkKind::kSend:
      return &thunk.send_thunk().collective_config();
    case ThunkKind::kRecv:
      return &thunk.recv_thunk().collective_config();
    case ThunkKind::kCollectiveKernel:
      return &thunk.collective_kernel_thunk().collective_config();
    default:
      return nullptr;
  }
}

std::optional<CollectiveSummary> CollectiveOf(ThunkKind kind,
                                              const schema::ThunkVisit& visit) {
  const wire::CollectiveConfigProto* config = CollectiveConfigOf(kind, visit.thunk);
  if (config == nullptr) return std::nullopt;
  CollectiveSummary summary;
  summary.path = visit.path.ToString();
  summary.kind = schema::KindName(kind);
  const bool reduces = kind == ThunkKind::kAllReduce || kind == ThunkKind::kReduceScatter;
  if (reduces) summary.reduction = DetailOf(kind, visit.thunk);
  summary.group_mode = ShortName(wire::CollectiveOpGroupMode_Name(config->group_mode()),
                                 "COLLECTIVE_OP_GROUP_MODE_", config->group_mode());
  for (const wire::ReplicaGroup& group : config->replica_groups()) {
    summary.replica_groups.emplace_back(group.replica_ids().begin(),
                                        group.replica_ids().end());
  }
  return summary;
}

ThunkSummary SummariseThunk(const schema::ThunkVisit& visit) {
  ThunkSummary summary;
  summary.path = visit.path.ToString();
  summary.depth = visit.depth;
  summary.location = visit.thunk.thunk_info().profile_annotation();
  summary.local_allocations = visit.local_allocations != nullptr;
  if (!visit.kind.has_value()) {
    summary.kind = "unknown";
    return summary;
  }
  summary.kind = schema::KindName(*visit.kind);
  summary.detail = DetailOf(*visit.kind, visit.thunk);
  summary.accesses = schema::AccessesOf(*visit.kind, visit.thunk);
  return summary;
}

}  // namespace

absl::StatusOr<ProgramSummary> Summarise(const ExecutableFile& file) {
  const wire::GpuExecutableProto& executable = file.executable;
  ProgramSummary summary;
  summary.kind = std::string(ExecutableKindName(file.kind));
  summary.name = file.name;
  summary.release = schema::DescribeRelease(
      executable, file.metadata.has_value() ? &*file.metadata : nullptr);
  summary.sizes = file.sizes;
  if (file.options.has_value()) {
    const auto& build = file.options->compile_options().executable_build_options();
    summary.replicas = build.num_replicas();
    summary.partitions = build.num_partitions();
  }
  summary.verified = schema::VerifyExecutable(executable);
  summary.signature = schema::SignatureOf(executable);
  std::set<std::string> streams;
  RETURN_IF_ERROR(schema::WalkThunks(
      executable.thunks(), [&](const schema::ThunkVisit& visit) -> absl::Status {
        summary.thunks.push_back(SummariseThunk(visit));
        if (!visit.kind.has_value()) return absl::OkStatus();
        if (*visit.kind == ThunkKind::kAsyncStart) {
          streams.insert(StreamName(visit.thunk.async_start_thunk()));
        }
        std::optional<CollectiveSummary> collective = CollectiveOf(*visit.kind, visit);
        if (collective.has_value()) summary.collectives.push_back(*std::move(collective));
        return absl::OkStatus();
      }));
  summary.streams.assign(streams.begin(), streams.end());
  ASSIGN_OR_RETURN(summary.kernels, KernelsOf(executable));
  return summary;
}

}  // namespace thunky::tooling
