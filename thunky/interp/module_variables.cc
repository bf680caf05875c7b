#include "thunky/interp/module_variables.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::interp {
namespace {

using ptx::ir::Space;
using ptx::ir::Symbol;

constexpr std::align_val_t kAlignment{256};
// Values of function addresses: no pointer of a process looks like this.
constexpr uint64_t kFirstHandle = 0xf000000000000000u;
constexpr uint64_t kHandleStep = 16;

bool IsVariable(const Symbol& symbol) {
  return symbol.space == Space::kGlobal || symbol.space == Space::kConst;
}

}  // namespace

void ModuleVariables::Free::operator()(char* p) const {
  ::operator delete[](p, kAlignment);
}

uint64_t ModuleVariables::HandleOf(const std::string& function) {
  const uint64_t next = kFirstHandle + kHandleStep * handles_.size();
  return handles_.try_emplace(function, next).first->second;
}

absl::StatusOr<uint64_t> ModuleVariables::Allocate(const Symbol& symbol) {
  if (symbol.is_extern) {
    return absl::FailedPreconditionError(
        absl::StrCat("line ", symbol.location.line, ": extern variable '", symbol.name,
                     "' has no definition in the module"));
  }
  if (symbol.size > kMaxBytes - total_) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "line ", symbol.location.line, ": variable '", symbol.name, "' of ", symbol.size,
        " bytes; the module's variables may take ", kMaxBytes, " bytes"));
  }
  const size_t size = std::max<uint64_t>(1, symbol.size);
  Variable variable;
  variable.bytes.reset(static_cast<char*>(::operator new[](size, kAlignment)));
  std::memset(variable.bytes.get(), 0, size);
  // memcpy does not take the null pointer of an empty initialiser.
  std::copy_n(symbol.init.begin(), std::min<size_t>(symbol.init.size(), symbol.size),
              variable.bytes.get());
  total_ += symbol.size;
  const uint64_t address = reinterpret_cast<uint64_t>(variable.bytes.get());
  variables_.emplace(Key(symbol.name, symbol.location.line, symbol.location.column),
                     std::move(variable));
  return address;
}

absl::Status ModuleVariables::Relocate(const ptx::ir::Program& program,
                                       const SymbolTable& table, size_t index) {
  const Symbol& symbol = program.symbols[index];
  for (const Symbol::Relocation& r : symbol.relocations) {
    if (r.at > symbol.size || symbol.size - r.at < sizeof(uint64_t)) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", symbol.location.line, ": the initializer of '",
                       symbol.name, "' has an address that does not fit"));
    }
    const uint64_t base = r.function
                              ? table.handle[r.index]
                              : table.address[r.index >= ptx::ir::kModuleSymbolBase
                                                  ? r.index - ptx::ir::kModuleSymbolBase
                                                  : r.index];
    const uint64_t value = base + static_cast<uint64_t>(r.addend);
    std::memcpy(reinterpret_cast<char*>(table.address[index]) + r.at, &value,
                sizeof(value));
  }
  return absl::OkStatus();
}

absl::StatusOr<SymbolTable> ModuleVariables::Resolve(const ptx::ir::Program& program,
                                                     uint64_t shared_dynamic) {
  const std::lock_guard<std::mutex> lock(mutex_);
  SymbolTable table;
  for (const auto& function : program.functions) {
    table.handle.push_back(HandleOf(function.name));
  }
  std::vector<size_t> fresh;
  for (size_t i = 0; i < program.symbols.size(); ++i) {
    const Symbol& symbol = program.symbols[i];
    if (!IsVariable(symbol)) {
      table.address.push_back(symbol.dynamic_shared ? shared_dynamic : symbol.offset);
      continue;
    }
    const auto known =
        variables_.find(Key(symbol.name, symbol.location.line, symbol.location.column));
    if (known != variables_.end()) {
      table.address.push_back(reinterpret_cast<uint64_t>(known->second.bytes.get()));
      continue;
    }
    ASSIGN_OR_RETURN(const uint64_t address, Allocate(symbol));
    table.address.push_back(address);
    fresh.push_back(i);
  }
  for (const size_t i : fresh) RETURN_IF_ERROR(Relocate(program, table, i));
  return table;
}

}  // namespace thunky::interp
