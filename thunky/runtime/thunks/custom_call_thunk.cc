#include "thunky/runtime/thunks/custom_call_thunk.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace thunky::runtime {

absl::StatusOr<std::unique_ptr<Thunk>> DecodeCustomCall(const wire::ThunkProto& proto,
                                                        ThunkInfo info,
                                                        Decoder& decoder) {
  const wire::CustomCallThunkProto& call = proto.custom_call_thunk();
  decoder.ReportMissing(info,
                        absl::StrCat("custom call target '", call.target_name(), "' (",
                                     wire::CustomCallApiVersion_Name(call.api_version()),
                                     ", no handler is registered)"));
  return nullptr;
}

}  // namespace thunky::runtime
