// The operators of constant expressions, with the precedences of C.
#ifndef THUNKY_PTX_OPERATORS_H_
#define THUNKY_PTX_OPERATORS_H_

#include <string_view>

namespace thunky::ptx {

// Strength of a binary operator, 1 (`||`) to 10 (`*`); 0 for anything else.
int BinaryStrength(std::string_view spelling);

inline constexpr int kTernaryStrength = 0;
inline constexpr int kUnaryStrength = 11;
inline constexpr int kPrimaryStrength = 12;

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_OPERATORS_H_
