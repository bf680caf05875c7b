// The rules of the kinds, family by family; kinds.cc joins them to one table.
#ifndef THUNKY_SCHEMA_KINDS_FAMILIES_H_
#define THUNKY_SCHEMA_KINDS_FAMILIES_H_

#include "absl/types/span.h"
#include "thunky/schema/kinds.h"

namespace thunky::schema::kinds {

absl::Span<const KindRules> AsyncRules();
absl::Span<const KindRules> BlasRules();
absl::Span<const KindRules> CollectiveRules();
absl::Span<const KindRules> CollectiveKernelRules();
absl::Span<const KindRules> ControlFlowRules();
absl::Span<const KindRules> CopyRules();
absl::Span<const KindRules> CustomCallRules();
absl::Span<const KindRules> DeviceIdRules();
absl::Span<const KindRules> DnnRules();
absl::Span<const KindRules> DynamicSliceRules();
absl::Span<const KindRules> FftRules();
absl::Span<const KindRules> FillRules();
absl::Span<const KindRules> HostRules();
absl::Span<const KindRules> KernelRules();
absl::Span<const KindRules> PointToPointRules();
absl::Span<const KindRules> RngSeedRules();
absl::Span<const KindRules> SelectKRules();

}  // namespace thunky::schema::kinds

#endif  // THUNKY_SCHEMA_KINDS_FAMILIES_H_
