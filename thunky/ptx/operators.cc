#include "thunky/ptx/operators.h"

namespace thunky::ptx {
namespace {

struct Operator {
  std::string_view spelling;
  int strength;
};

constexpr Operator kOperators[] = {
    {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6},
    {"!=", 6}, {"<", 7},  {"<=", 7}, {">", 7},  {">=", 7}, {"<<", 8},
    {">>", 8}, {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

}  // namespace

int BinaryStrength(std::string_view spelling) {
  for (const Operator& candidate : kOperators) {
    if (candidate.spelling == spelling) return candidate.strength;
  }
  return 0;
}

}  // namespace thunky::ptx
