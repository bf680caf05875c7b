#include "thunky/compiler/translate/origin_allocations.h"

#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/constant_value.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/schema/allocations.h"

namespace thunky::compiler {
namespace {

void emptyListed(schema::AllocationList& list, const std::set<int64_t>& numbers) {
  for (wire::BufferAllocationProto& allocation : list) {
    if (numbers.count(allocation.index()) == 0) continue;
    allocation.set_size(0);
    allocation.clear_assigned();
  }
}

}  // namespace

void emptyAllocations(wire::ModuleOriginProto& origin, const std::set<int64_t>& numbers) {
  wire::GpuExecutableProto& executable = *origin.mutable_executable();
  if (executable.has_buffer_allocations()) {
    emptyListed(*executable.mutable_buffer_allocations()->mutable_values(), numbers);
  }
  if (!executable.has_buffer_assignment()) return;
  wire::BufferAssignmentProto& assignment = *executable.mutable_buffer_assignment();
  emptyListed(*assignment.mutable_buffer_allocations(), numbers);
  auto& traces = *assignment.mutable_heap_simulator_traces();
  for (int i = traces.size(); i-- > 0;) {
    if (numbers.count(traces[i].buffer_allocation_index()) != 0) {
      traces.DeleteSubrange(i, 1);
    }
  }
}

void writeOrigin(mlir::ModuleOp module, const wire::ModuleOriginProto& origin) {
  module->setAttr(kOrigin, bytesResource(module.getContext(), "origin", bytesOf(origin)));
}

}  // namespace thunky::compiler
