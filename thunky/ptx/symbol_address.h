// Names with an offset: `x`, `x + 8`, `x[2]`, `generic(x) + 8`, `%rd1 - 4`.
#ifndef THUNKY_PTX_SYMBOL_ADDRESS_H_
#define THUNKY_PTX_SYMBOL_ADDRESS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"

namespace thunky::ptx {

struct SymbolAddress {
  // Empty for an address that is a number.
  std::string name;
  int64_t offset = 0;               // bytes
  std::optional<uint64_t> element;  // of `x[element]`, in elements of x
  bool generic = false;             // generic(x)
};

// Takes an address expression apart. InvalidArgument: more than one name, an operator
// that addresses do not have. Unimplemented: a mask such as `0xFF(x)`.
absl::StatusOr<SymbolAddress> ParseSymbolAddress(const ast::Expr& expr);

// Whether an expression names anything but WARP_SZ: an address rather than a number.
bool NamesSomething(const ast::Expr& expr);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_SYMBOL_ADDRESS_H_
