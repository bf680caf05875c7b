// The kinds of thunk an executable may hold, and their names.
#ifndef THUNKY_SCHEMA_THUNK_KIND_H_
#define THUNKY_SCHEMA_THUNK_KIND_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "proto/thunk.pb.h"

namespace thunky::schema {

// A value is the field number of the kind's member in ThunkProto.
enum class ThunkKind : int {
  kSequential = 2,
  kCopy = 3,
  kDeviceToHostCopy = 4,
  kHostToDeviceCopy = 5,
  kConditional = 6,
  kWhile = 7,
  kKernel = 8,
  kGemm = 9,
  kTriangularSolve = 11,
  kReplicaId = 12,
  kDeviceToDeviceCopy = 13,
  kPartitionId = 14,
  kCudnn = 15,
  kHostExecuteStart = 16,
  kHostExecuteDone = 17,
  kMemzero = 19,
  kSelectK = 20,
  kInfeed = 21,
  kCublasLtMatmul = 22,
  kOutfeed = 23,
  kNorm = 24,
  kConvolution = 25,
  kConvolutionReorder = 26,
  kFft = 27,
  kMemset32 = 28,
  kCustomCall = 30,
  kHostSend = 32,
  kHostSendDone = 33,
  kHostRecv = 34,
  kHostRecvDone = 35,
  kCustomKernel = 36,
  kAllGather = 38,
  kAllReduce = 39,
  kReduceScatter = 40,
  kAllToAll = 41,
  kRaggedAllToAll = 42,
  kCollectivePermute = 43,
  kSend = 44,
  kRecv = 45,
  kCollectiveBroadcast = 46,
  kCollectiveGroup = 47,
  kAsyncStart = 57,
  kAsyncDone = 58,
  kCollectiveKernel = 59,
  kDynamicSliceFusion = 60,
  kRngSeed = 61,
};

// Every kind, in the order of the field numbers.
absl::Span<const ThunkKind> AllKinds();

// Whether a thunk of a kind this build does not know is an error. Where it is none,
// nobody can see what it reads and writes: any allocation is possible.
enum class UnknownKinds { kRefuse, kAllow };

// The kind of a thunk. Unimplemented, with the field number where one is
// present, when no member this build knows is set.
absl::StatusOr<ThunkKind> KindOf(const wire::ThunkProto& thunk);

// "custom_kernel", "while", "memset32".
const std::string& KindName(ThunkKind kind);
// The same of a thunk of any kind: "unknown_kind_62" by its field number, "unknown_kind"
// without one.
std::string KindNameOf(const wire::ThunkProto& thunk);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_THUNK_KIND_H_
