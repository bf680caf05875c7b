// Branches, guards, calls and returns.
#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "thunky/interp/control.h"
#include "thunky/interp/decode.h"
#include "thunky/interp/lanes.h"
#include "thunky/interp/launch_state.h"

namespace thunky::interp {
namespace {

using ptx::ir::Call;
using ptx::ir::Parameter;

uint32_t ConditionLanes(Warp& w, const MicroOp* op) {
  const uint32_t p = w.Predicate(op->a);
  return w.active & (op->extra != 0 ? ~p : p);
}

const MicroOp* At(const Warp& w, uint32_t index) {
  return w.frame->function->code.data() + index;
}

// Where a value of a call lies for a lane of `frame`: in its parameter area or in a
// register.
char* SlotAddress(Warp& w, const Frame& frame, const Call::Slot& slot, int lane) {
  const DecodedFunction& function = *frame.function;
  if (slot.is_register) {
    const uint32_t width =
        std::max(16, BitWidth(function.ir->registers[slot.index].type));
    return frame.registers.data() + function.register_slots[slot.index].offset() +
           static_cast<uint32_t>(lane) * (width / 8);
  }
  const uint64_t offset = function.ir->symbols[slot.index].offset;
  if (function.ir->is_entry && offset < w.launch->argument_bytes) {
    return w.launch->arguments + offset;
  }
  return w.launch->LocalOf(w, lane) + frame.stack_base + offset;
}

uint64_t SlotWidth(const Frame& frame, const Call::Slot& slot) {
  if (!slot.is_register) return slot.size;
  const auto& reg = frame.function->ir->registers[slot.index];
  return std::max<uint64_t>(16, static_cast<uint64_t>(BitWidth(reg.type))) / 8;
}

char* ParameterAddress(Warp& w, const Frame& frame, const Parameter& parameter,
                       int lane) {
  return w.launch->LocalOf(w, lane) + frame.stack_base + parameter.offset;
}

// Starts `callee` for `lanes`, which belong to no strand and are one of their own
// afterwards.
bool Enter(Warp& w, const MicroOp* op, const DecodedFunction* callee, const Call& call,
           uint32_t lanes) {
  if (callee->ir->parameters.size() != call.arguments.size() ||
      callee->ir->results.size() != call.results.size()) {
    w.Fail(op, std::countr_zero(lanes), absl::StatusCode::kFailedPrecondition,
           absl::StrCat("the call has ", call.arguments.size(), " arguments and ",
                        call.results.size(), " results, '", callee->ir->name, "' takes ",
                        callee->ir->parameters.size(), " and gives ",
                        callee->ir->results.size()));
    return false;
  }
  const Frame& caller = *w.frame;
  Frame* frame = w.PushFrame(op, callee, &call, lanes);
  if (frame == nullptr) return false;
  for (size_t k = 0; k < call.arguments.size(); ++k) {
    const Parameter& parameter = callee->ir->parameters[k];
    const uint64_t size = std::min(parameter.size, SlotWidth(caller, call.arguments[k]));
    ForLanes(lanes, [&](int lane) {
      std::memcpy(ParameterAddress(w, *frame, parameter, lane),
                  SlotAddress(w, caller, call.arguments[k], lane), size);
    });
  }
  w.AddStrand(frame, callee->code.data(), lanes);
  return true;
}

void CopyResults(Warp& w, const Frame& frame, uint32_t lanes) {
  const Call& call = *frame.call;
  for (size_t k = 0; k < call.results.size(); ++k) {
    const Parameter& result = frame.function->ir->results[k];
    const uint64_t width = SlotWidth(*frame.parent, call.results[k]);
    const uint64_t size = std::min(result.size, width);
    ForLanes(lanes, [&](int lane) {
      char* to = SlotAddress(w, *frame.parent, call.results[k], lane);
      std::memset(to, 0, width);
      std::memcpy(to, ParameterAddress(w, frame, result, lane), size);
    });
  }
}

}  // namespace

const MicroOp* ExecJump(Warp& w, const MicroOp* op) {
  return w.Jump(op, At(w, op->target));
}

const MicroOp* ExecBranch(Warp& w, const MicroOp* op) {
  const uint32_t taken = ConditionLanes(w, op);
  if (taken == w.active) return w.Jump(op, At(w, op->target));
  if (taken == 0) return w.Jump(op, op + 1);
  w.fuel -= op->imm;
  w.AddStrand(w.frame, op + 1, w.active & ~taken);
  w.current->lanes = taken;
  return w.Reschedule(At(w, op->target));
}

const MicroOp* ExecFallThrough(Warp& w, const MicroOp* op) { return w.Jump(op, op + 1); }

const MicroOp* ExecIndexedBranch(Warp& w, const MicroOp* op) {
  w.fuel -= op->imm;
  w.SplitInactive(op + 1);
  const std::vector<uint32_t>& table = w.frame->function->ir->branch_tables[op->target];
  const uint32_t* index = w.Lanes<uint32_t>(op->a);
  Frame* frame = w.frame;
  uint32_t rest = w.active;
  w.RemoveCurrent();
  while (rest != 0) {
    const int lane = std::countr_zero(rest);
    const uint32_t chosen = index[lane];
    if (chosen >= table.size()) {
      return w.Fail(op, lane, absl::StatusCode::kFailedPrecondition,
                    absl::StrCat("branch index ", chosen, " is outside the table of ",
                                 table.size(), " targets"));
    }
    uint32_t group = 0;
    ForLanes(rest, [&](int i) { group |= uint32_t{index[i] == chosen} << i; });
    rest &= ~group;
    w.AddStrand(frame, At(w, frame->function->block_start[table[chosen]]), group);
  }
  return nullptr;
}

const MicroOp* ExecGuard(Warp& w, const MicroOp* op) {
  const uint32_t lanes = ConditionLanes(w, op);
  if (lanes == 0) return op + op->target;
  if (lanes != w.active) w.SetActive(lanes);
  return op + 1;
}

const MicroOp* ExecEndGuard(Warp& w, const MicroOp* op) {
  if (w.active != w.current->lanes) w.SetActive(w.current->lanes);
  return op + 1;
}

const MicroOp* ExecCall(Warp& w, const MicroOp* op) {
  const Call& call = w.frame->function->ir->calls[op->extra];
  w.fuel -= op->imm;
  w.SplitInactive(op + 1);
  const DecodedFunction* callee = w.launch->program->functions[call.callee].get();
  w.RemoveCurrent();
  Enter(w, op, callee, call, w.active);
  return nullptr;
}

const MicroOp* ExecIndirectCall(Warp& w, const MicroOp* op) {
  const Call& call = w.frame->function->ir->calls[op->extra];
  w.fuel -= op->imm;
  w.SplitInactive(op + 1);
  const uint64_t* pointer = w.Lanes<uint64_t>(op->a);
  for (uint32_t rest = w.active; rest != 0;) {
    const int lane = std::countr_zero(rest);
    const DecodedFunction* callee = w.launch->program->FunctionOf(pointer[lane]);
    if (callee == nullptr) {
      return w.Fail(op, lane, absl::StatusCode::kFailedPrecondition,
                    absl::StrCat("call of 0x", absl::Hex(pointer[lane]),
                                 ", which is not the address of a function"));
    }
    uint32_t group = 0;
    ForLanes(rest, [&](int i) { group |= uint32_t{pointer[i] == pointer[lane]} << i; });
    rest &= ~group;
    // The current strand still holds the group: never more strands than lanes.
    w.current->lanes &= ~group;
    const bool last = w.current->lanes == 0;
    if (last) w.RemoveCurrent();
    if (!Enter(w, op, callee, call, group)) return nullptr;
  }
  return nullptr;
}

const MicroOp* ExecReturn(Warp& w, const MicroOp* op) {
  if (w.frame->parent == nullptr) return ExecExit(w, op);
  w.fuel -= op->imm;
  w.SplitInactive(op + 1);
  Frame* frame = w.frame;
  const uint32_t lanes = w.active;
  CopyResults(w, *frame, lanes);
  w.RemoveCurrent();
  w.AddStrand(frame->parent, frame->return_to, lanes);
  w.LeaveFrame(frame, lanes);
  return nullptr;
}

const MicroOp* ExecExit(Warp& w, const MicroOp* op) {
  w.fuel -= op->imm;
  w.SplitInactive(op + 1);
  return w.ExitCurrent();
}

const MicroOp* ExecTrap(Warp& w, const MicroOp* op) {
  const std::string_view name = ptx::ir::OpName(op->source->op);
  return w.Fail(op, std::countr_zero(w.active), absl::StatusCode::kAborted,
                absl::StrCat("the kernel executed '",
                             absl::string_view(name.data(), name.size()), "'"));
}

uint64_t ReadArgument(Warp& w, const Call& call, size_t index, int lane) {
  if (index >= call.arguments.size()) return 0;
  uint64_t value = 0;
  const Call::Slot& slot = call.arguments[index];
  std::memcpy(&value, SlotAddress(w, *w.frame, slot, lane),
              std::min<uint64_t>(8, SlotWidth(*w.frame, slot)));
  return value;
}

void WriteResult(Warp& w, const Call& call, size_t index, int lane, uint64_t value) {
  if (index >= call.results.size()) return;
  const Call::Slot& slot = call.results[index];
  std::memcpy(SlotAddress(w, *w.frame, slot, lane), &value,
              std::min<uint64_t>(8, SlotWidth(*w.frame, slot)));
}

}  // namespace thunky::interp
