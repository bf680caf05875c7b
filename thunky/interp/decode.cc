#include "thunky/interp/decode.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/interp/function_decoder.h"

namespace thunky::interp {
namespace {

using ptx::ir::Call;
using ptx::ir::Function;
using ptx::ir::Space;

constexpr uint64_t kStackAlignment = 64;

uint64_t Align(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// Layout of the activation's part of the local window.
absl::Status LayOut(const Function& function, DecodedFunction* out) {
  if (function.param_bytes > kMaxLocalBytes || function.local_bytes > kMaxLocalBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("function '", function.name, "' wants ",
                     std::max(function.param_bytes, function.local_bytes),
                     " bytes of local memory, the limit is ", kMaxLocalBytes));
  }
  out->local_offset = Align(function.param_bytes, kStackAlignment);
  out->stack_bytes = Align(out->local_offset + function.local_bytes, kStackAlignment);
  return absl::OkStatus();
}

std::vector<uint32_t> Callees(const Function& function) {
  std::vector<uint32_t> callees;
  for (const Call& call : function.calls) {
    if (call.builtin != ptx::ir::Builtin::kNone) continue;
    if (call.indirect) {
      callees.insert(callees.end(), call.candidates.begin(), call.candidates.end());
    } else {
      callees.push_back(call.callee);
    }
  }
  return callees;
}

// Stack that the deepest chain of calls needs. Functions in topological order
// (callees first) come from removing those without callees left; what remains is
// recursive.
void SizeWindow(DecodedProgram* program) {
  const size_t count = program->functions.size();
  std::vector<uint64_t> need(count);
  std::vector<std::vector<uint32_t>> callers(count);
  std::vector<uint32_t> open(count);
  for (uint32_t f = 0; f < count; ++f) {
    need[f] = program->functions[f]->stack_bytes;
    for (const uint32_t callee : Callees(program->ir.functions[f])) {
      callers[callee].push_back(f);
      ++open[f];
    }
  }
  std::vector<uint32_t> ready;
  for (uint32_t f = 0; f < count; ++f) {
    if (open[f] == 0) ready.push_back(f);
  }
  for (size_t i = 0; i < ready.size(); ++i) {
    const uint32_t f = ready[i];
    for (const uint32_t caller : callers[f]) {
      need[caller] =
          std::max(need[caller], program->functions[caller]->stack_bytes + need[f]);
      if (--open[caller] == 0) ready.push_back(caller);
    }
  }
  program->recursive = ready.size() < count;
  program->local_window =
      program->recursive ? std::max(kRecursiveWindow, need[0]) : need[0];
}

}  // namespace

const DecodedFunction* DecodedProgram::FunctionOf(uint64_t handle) const {
  for (size_t f = 0; f < symbols.handle.size(); ++f) {
    if (symbols.handle[f] == handle) return functions[f].get();
  }
  return nullptr;
}

bool DecodedProgram::IsConstant(uint64_t address) const {
  for (size_t i = 0; i < ir.symbols.size(); ++i) {
    if (ir.symbols[i].space == Space::kConst && address >= symbols.address[i] &&
        address - symbols.address[i] < ir.symbols[i].size) {
      return true;
    }
  }
  return false;
}

absl::StatusOr<std::unique_ptr<DecodedProgram>> Decode(ptx::ir::Program program,
                                                       SymbolTable symbols,
                                                       const hal::MemoryMap* variables) {
  auto decoded = std::make_unique<DecodedProgram>();
  decoded->ir = std::move(program);
  decoded->symbols = std::move(symbols);
  decoded->variables = variables;
  for (const Function& function : decoded->ir.functions) {
    auto out = std::make_unique<DecodedFunction>();
    RETURN_IF_ERROR(LayOut(function, out.get()));
    RETURN_IF_ERROR(FunctionDecoder(*decoded, function, out.get()).Decode());
    decoded->functions.push_back(std::move(out));
  }
  SizeWindow(decoded.get());
  if (decoded->local_window > kMaxLocalBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a thread needs ", decoded->local_window,
                     " bytes of local memory, the limit is ", kMaxLocalBytes));
  }
  return decoded;
}

}  // namespace thunky::interp
