// From verified protos to thunks.
#ifndef THUNKY_RUNTIME_DECODER_H_
#define THUNKY_RUNTIME_DECODER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/thunk.pb.h"
#include "thunky/runtime/kernel_table.h"
#include "thunky/runtime/thunk.h"
#include "thunky/runtime/thunk_sequence.h"
#include "thunky/schema/thunk_kind.h"

namespace thunky::runtime {

// Decodes the thunks of one program. The protos have passed
// schema::VerifyExecutable: decoding relies on that and does not check again.
//
// A kind or custom-call target that this build cannot run does not stop the
// decoding: all of them are collected, and Finish reports them together.
class Decoder {
 public:
  explicit Decoder(KernelTable& kernels) : kernels_(kernels) {}

  // `path` is the sequence's own path: "thunks", "thunks[3].while.body".
  absl::StatusOr<ThunkSequence> DecodeSequence(const wire::ThunkSequenceProto& proto,
                                               std::string_view path);
  absl::StatusOr<ThunkSequence> DecodeThunks(
      const google::protobuf::RepeatedPtrField<wire::ThunkProto>& protos,
      std::string_view path);

  // Ok when everything could be decoded. Else Unimplemented: the first line says
  // what is missing first, the lines after it name every thunk.
  absl::Status Finish() const;

  KernelTable& kernels() { return kernels_; }

  // For decode functions: this thunk needs something that does not exist here.
  // `what` names it: "custom call target 'f'". The thunk is left out.
  void ReportMissing(const ThunkInfo& info, std::string what);

 private:
  absl::StatusOr<std::unique_ptr<Thunk>> DecodeThunk(const wire::ThunkProto& proto,
                                                     std::string path);

  KernelTable& kernels_;
  std::vector<std::string> missing_;
};

// Decodes one thunk; null after Decoder::ReportMissing.
using DecodeFunction = absl::StatusOr<std::unique_ptr<Thunk>> (*)(
    const wire::ThunkProto& proto, ThunkInfo info, Decoder& decoder);

// The function for a kind; null for kinds that this build does not run.
DecodeFunction DecodeFunctionFor(schema::ThunkKind kind);

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_DECODER_H_
