// What is passed to a nested program: a ref, or data of this process.
#ifndef THUNKY_FRONTEND_OPERAND_H_
#define THUNKY_FRONTEND_OPERAND_H_

#include <type_traits>
#include <utility>
#include <variant>

#include "thunky/api/argument.h"
#include "thunky/frontend/ref.h"

namespace thunky {

// Host data is copied, and becomes a constant of the program that is traced. Numbers are
// scalars of their own C++ type; arrays are made by host().
class Operand {
 public:
  Operand(const Ref& ref) : content_(ref) {}                  // NOLINT: implicit
  Operand(HostArray values) : content_(std::move(values)) {}  // NOLINT: implicit
  template <typename T>
    requires std::is_arithmetic_v<T>
  Operand(T scalar) : content_(host(scalar)) {}  // NOLINT: implicit

  const std::variant<Ref, HostArray>& content() const { return content_; }

 private:
  std::variant<Ref, HostArray> content_;
};

}  // namespace thunky

#endif  // THUNKY_FRONTEND_OPERAND_H_
