// Names of a function body: nested scopes of registers, variables and labels.
#ifndef THUNKY_PTX_LOWER_SCOPE_H_
#define THUNKY_PTX_LOWER_SCOPE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"

namespace thunky::ptx {

// What a name of the body stands for.
struct ScopeEntry {
  enum class Kind : uint8_t {
    kRegister,     // index: register of the function
    kSymbol,       // index: as in ir::Operand (kModuleSymbolBase and up: module)
    kLabel,        // index: label number
    kBranchTable,  // index: number of a .branchtargets list
    kCallTable,    // index: number of a .calltargets list
    kPrototype,    // index: number of a .callprototype
  };
  Kind kind = Kind::kRegister;
  uint32_t index = 0;
  SourceLocation location;
};
std::string_view KindName(ScopeEntry::Kind kind);  // "a register"

// The stack of open scopes. Registers are created in `registers` when they are first
// looked up: `%r<1000000>` costs nothing.
class ScopeStack {
 public:
  explicit ScopeStack(std::vector<ir::Register>& registers) : registers_(registers) {}

  void Open() { scopes_.emplace_back(); }
  // Closes the innermost scope. InvalidArgument when a register declared by itself
  // is also one of a `<N>` range of the same scope.
  absl::Status Close();

  // Declares in the innermost scope. InvalidArgument: declared there already.
  absl::Status Declare(std::string_view name, const ScopeEntry& entry);
  absl::Status DeclareRegister(std::string_view name, ir::Type type,
                               SourceLocation location);
  // `prefix<count>`: registers prefix0 .. prefix(count-1).
  absl::Status DeclareRegisters(std::string_view prefix, uint64_t count, ir::Type type,
                                SourceLocation location);

  // The innermost entry of that name.
  std::optional<ScopeEntry> Find(std::string_view name);

 private:
  struct Range {
    uint64_t count = 0;
    ir::Type type = ir::Type::kNone;
    SourceLocation location;
  };
  struct Lazy {
    ir::Type type = ir::Type::kNone;
    SourceLocation location;
  };
  struct Scope {
    std::unordered_map<std::string, ScopeEntry> entries;
    std::unordered_map<std::string, Range> ranges;
    std::unordered_map<std::string, Lazy> lazy;  // registers not looked up yet

    bool empty() const { return entries.empty() && ranges.empty() && lazy.empty(); }
  };

  // The range of `scope` that covers `name`.
  static const Range* FindRange(const Scope& scope, std::string_view name);
  std::optional<ScopeEntry> FindIn(Scope& scope, const std::string& name);
  ScopeEntry CreateRegister(Scope& scope, const std::string& name, ir::Type type,
                            SourceLocation location);

  std::vector<ir::Register>& registers_;
  std::vector<Scope> scopes_;
};

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_LOWER_SCOPE_H_
