// Collectives of buffers over groups of devices.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/replica_groups.h"
#include "thunky/schema/kinds/slices.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::schema::kinds {
namespace {

// The parts every collective has.
struct Collective {
  const wire::CollectiveConfigProto& config;
  const CollectiveBuffers& buffers;
};

template <typename Proto>
Collective Of(const Proto& proto) {
  return {proto.collective_config(), proto.buffers()};
}

Collective CollectiveOf(const wire::ThunkProto& thunk) {
  switch (thunk.impl_case()) {
    case wire::ThunkProto::kAllGatherThunk:
      return Of(thunk.all_gather_thunk());
    case wire::ThunkProto::kReduceScatterThunk:
      return Of(thunk.reduce_scatter_thunk());
    case wire::ThunkProto::kAllToAllThunk:
      return Of(thunk.all_to_all_thunk());
    case wire::ThunkProto::kRaggedAllToAllThunk:
      return Of(thunk.ragged_all_to_all_thunk());
    case wire::ThunkProto::kCollectivePermuteThunk:
      return Of(thunk.collective_permute_thunk());
    case wire::ThunkProto::kCollectiveBroadcastThunk:
      return Of(thunk.collective_broadcast_thunk());
    default:
      return Of(thunk.all_reduce_thunk());
  }
}

void Accesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  AddCollectiveBuffers(CollectiveOf(thunk).buffers, accesses);
}

// Part of the output stays as it was.
void RaggedAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  Accesses(thunk, accesses);
  for (Access& access : *accesses) {
    if (access.mode == AccessMode::kWriteAll) access.mode = AccessMode::kWrite;
  }
}

absl::Status CheckReduction(wire::ReductionKindProto kind) {
  if (kind != wire::REDUCTION_KIND_UNSPECIFIED &&
      wire::ReductionKindProto_IsValid(kind)) {
    return absl::OkStatus();
  }
  return Invalid("reduction_kind is ", static_cast<int>(kind),
                 "; sum, product, min and max (1 to 4) are known");
}

// The bytes of each buffer must be these multiples of its elements.
absl::Status CheckSizes(const Collective& collective, int64_t source_factor,
                        int64_t destination_factor) {
  for (int i = 0; i < collective.buffers.size(); ++i) {
    const wire::CollectiveBufferProto& buffer = collective.buffers[i];
    ASSIGN_OR_RETURN(const int64_t bytes, ElementBytes(collective.config, buffer, i));
    const __int128 source = static_cast<__int128>(bytes) * source_factor;
    const __int128 destination = static_cast<__int128>(bytes) * destination_factor;
    if (buffer.source_buffer().slice().size() == source &&
        buffer.destination_buffer().slice().size() == destination) {
      continue;
    }
    return Invalid(
        Indexed("buffers", i), " has ", buffer.element_count(), " elements of ",
        ElementTypeName(collective.config.operand_element_type(i)), ", a source of ",
        buffer.source_buffer().slice().size(), " bytes and a destination of ",
        buffer.destination_buffer().slice().size(), " bytes, which do not fit together");
  }
  return absl::OkStatus();
}

absl::Status CheckParts(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const Collective collective = CollectiveOf(thunk);
  RETURN_IF_ERROR(CheckCollective(collective.config, collective.buffers));
  return CheckOwnAccesses(*KindOf(thunk), thunk, context);
}

absl::Status VerifyAllReduce(const wire::ThunkProto& thunk,
                             const VerifyContext& context) {
  RETURN_IF_ERROR(CheckParts(thunk, context));
  RETURN_IF_ERROR(CheckReduction(thunk.all_reduce_thunk().reduction_kind()));
  return CheckSizes(CollectiveOf(thunk), 1, 1);
}

// element_count counts the smaller side: one member's part.
absl::Status VerifyAllGather(const wire::ThunkProto& thunk,
                             const VerifyContext& context) {
  RETURN_IF_ERROR(CheckParts(thunk, context));
  const Collective collective = CollectiveOf(thunk);
  ASSIGN_OR_RETURN(const int64_t members, GroupSize(collective.config));
  if (members == 0) return absl::OkStatus();
  return CheckSizes(collective, 1, members);
}

// element_count counts the source, which holds every member's part.
absl::Status VerifyReduceScatter(const wire::ThunkProto& thunk,
                                 const VerifyContext& context) {
  RETURN_IF_ERROR(CheckParts(thunk, context));
  const Collective collective = CollectiveOf(thunk);
  RETURN_IF_ERROR(CheckReduction(thunk.reduce_scatter_thunk().reduction_kind()));
  ASSIGN_OR_RETURN(const int64_t members, GroupSize(collective.config));
  for (int i = 0; members != 0 && i < collective.buffers.size(); ++i) {
    const wire::CollectiveBufferProto& buffer = collective.buffers[i];
    const int64_t source = buffer.source_buffer().slice().size();
    const int64_t destination = buffer.destination_buffer().slice().size();
    if (source % members == 0 && source / members == destination) continue;
    return Invalid(Indexed("buffers", i), " has a source of ", source,
                   " bytes and a destination of ", destination, " bytes in groups of ",
                   members, "; each member gets its equal part");
  }
  return absl::OkStatus();
}

absl::Status VerifyAllToAll(const wire::ThunkProto& thunk, const VerifyContext& context) {
  RETURN_IF_ERROR(CheckParts(thunk, context));
  const Collective collective = CollectiveOf(thunk);
  ASSIGN_OR_RETURN(const int64_t members, GroupSize(collective.config));
  RETURN_IF_ERROR(CheckSizes(collective, 1, 1));
  const bool split = thunk.all_to_all_thunk().has_split_dimension();
  const int count = collective.buffers.size();
  if (split && count != 1) {
    return Invalid("has ", count, " buffers; with a split dimension there must be one");
  }
  if (members == 0) return absl::OkStatus();
  if (split) {
    const int64_t elements = collective.buffers[0].element_count();
    if (elements % members == 0) return absl::OkStatus();
    return Invalid("has ", elements, " elements, which ", members,
                   " members cannot share equally");
  }
  if (count != members) {
    return Invalid("has ", count, " buffers in groups of ", members,
                   "; without a split dimension there must be one a member");
  }
  for (const wire::CollectiveBufferProto& buffer : collective.buffers) {
    if (buffer.source_buffer().slice().size() ==
        collective.buffers[0].source_buffer().slice().size()) {
      continue;
    }
    return Invalid(
        "has buffers of different sizes; without a split dimension they must "
        "be equal");
  }
  return absl::OkStatus();
}

absl::Status VerifyPermute(const wire::ThunkProto& thunk, const VerifyContext& context) {
  RETURN_IF_ERROR(CheckParts(thunk, context));
  const Collective collective = CollectiveOf(thunk);
  RETURN_IF_ERROR(GroupSize(collective.config).status());
  RETURN_IF_ERROR(
      CheckSourceTargets(thunk.collective_permute_thunk().source_target_pairs()));
  return CheckSizes(collective, 1, 1);
}

absl::Status VerifyBroadcast(const wire::ThunkProto& thunk,
                             const VerifyContext& context) {
  return CheckParts(thunk, context);
}

absl::Status VerifyRagged(const wire::ThunkProto& thunk, const VerifyContext& context) {
  RETURN_IF_ERROR(CheckParts(thunk, context));
  const wire::RaggedAllToAllThunkProto& ragged = thunk.ragged_all_to_all_thunk();
  if (ragged.num_total_updates() >= 0 && ragged.num_input_rows() >= 0 &&
      ragged.num_row_elements() >= 0) {
    return absl::OkStatus();
  }
  return Invalid("has ", ragged.num_total_updates(), " updates, ",
                 ragged.num_input_rows(), " rows and ", ragged.num_row_elements(),
                 " elements a row; none may be negative");
}

void GroupChildren(const wire::ThunkProto& thunk, std::vector<Child>* children) {
  children->push_back({"", &thunk.collective_group_thunk().thunks()});
}

absl::Status VerifyGroup(const wire::ThunkProto& thunk, const VerifyContext&) {
  const auto& members = thunk.collective_group_thunk().thunks();
  for (int i = 0; i < members.size(); ++i) {
    if (MayBeGrouped(members[i])) continue;
    return Invalid("holds ", KindNameOf(members[i]), " at ", i,
                   "; only collectives, send and recv are allowed in a group");
  }
  return absl::OkStatus();
}

constexpr KindRules kRules[] = {
    {ThunkKind::kAllGather, VerifyAllGather, Accesses, nullptr},
    {ThunkKind::kAllReduce, VerifyAllReduce, Accesses, nullptr},
    {ThunkKind::kReduceScatter, VerifyReduceScatter, Accesses, nullptr},
    {ThunkKind::kAllToAll, VerifyAllToAll, Accesses, nullptr},
    {ThunkKind::kRaggedAllToAll, VerifyRagged, RaggedAccesses, nullptr},
    {ThunkKind::kCollectivePermute, VerifyPermute, Accesses, nullptr},
    {ThunkKind::kCollectiveBroadcast, VerifyBroadcast, Accesses, nullptr},
    {ThunkKind::kCollectiveGroup, VerifyGroup, nullptr, GroupChildren},
};

}  // namespace

absl::Span<const KindRules> CollectiveRules() { return kRules; }

}  // namespace thunky::schema::kinds

namespace thunky::schema {

bool MayBeGrouped(const wire::ThunkProto& thunk) {
  switch (thunk.impl_case()) {
    case wire::ThunkProto::kAllGatherThunk:
    case wire::ThunkProto::kAllReduceThunk:
    case wire::ThunkProto::kReduceScatterThunk:
    case wire::ThunkProto::kAllToAllThunk:
    case wire::ThunkProto::kRaggedAllToAllThunk:
    case wire::ThunkProto::kCollectivePermuteThunk:
    case wire::ThunkProto::kCollectiveBroadcastThunk:
    case wire::ThunkProto::kSendThunk:
    case wire::ThunkProto::kRecvThunk:
    // A kind this build does not know, which may be a collective; who refuses those says
    // so of the thunk itself.
    case wire::ThunkProto::IMPL_NOT_SET:
      return true;
    default:
      return false;
  }
}

}  // namespace thunky::schema
