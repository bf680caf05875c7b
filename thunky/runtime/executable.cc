#include "thunky/runtime/executable.h"

#include <utility>

#include "thunky/base/status_macros.h"
#include "thunky/runtime/decoder.h"
#include "thunky/schema/allocations.h"
#include "thunky/schema/code_table.h"
#include "thunky/schema/executable_rules.h"

namespace thunky::runtime {

absl::StatusOr<std::shared_ptr<const Executable>> Executable::Load(
    const wire::GpuExecutableProto& proto, const LoadOptions& options) {
  RETURN_IF_ERROR(schema::VerifyExecutable(proto));
  ASSIGN_OR_RETURN(const schema::CodeTable code, schema::CodeTable::Of(proto));
  // The constructor is private; make_shared cannot call it.
  std::shared_ptr<Executable> executable(new Executable(options.kernels, code));
  executable->name_ = !options.name.empty()          ? options.name
                      : !proto.module_name().empty() ? proto.module_name()
                                                     : "program";
  ASSIGN_OR_RETURN(executable->signature_, schema::SignatureOf(proto));
  ASSIGN_OR_RETURN(executable->constants_, schema::ConstantsOf(proto));
  ASSIGN_OR_RETURN(const schema::AllocationList* allocations,
                   schema::AllocationsOf(proto));
  executable->allocation_count_ = allocations->size();
  executable->arguments_ = ArgumentsOf(executable->signature_);

  Decoder decoder(executable->kernels_);
  ASSIGN_OR_RETURN(executable->thunks_, decoder.DecodeThunks(proto.thunks(), "thunks"));
  RETURN_IF_ERROR(decoder.Finish());
  return executable;
}

}  // namespace thunky::runtime
