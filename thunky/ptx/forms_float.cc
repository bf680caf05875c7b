// Floating-point arithmetic, the approximate functions included.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

// min and max of f32 take two or three values.
const char* CountMinMaxInputs(ir::Instruction& instruction) {
  instruction.mod.three_inputs = instruction.src.size() == 3;
  return nullptr;
}

constexpr Form kForms[] = {
    {"add", Op::kAdd, "<rnd>? ftz? sat?", "f32", "d, a, b"},
    {"add", Op::kAdd, "<rnd>? ftz?", "f32x2", "d, a, b"},
    {"add", Op::kAdd, "<rnd>?", "f64", "d, a, b"},
    {"add", Op::kAdd, "round:rn? ftz? sat?", "<half>", "d, a, b"},
    {"add", Op::kAdd, "round:rn?", "<bhalf>", "d, a, b"},
    {"sub", Op::kSub, "<rnd>? ftz? sat?", "f32", "d, a, b"},
    {"sub", Op::kSub, "<rnd>? ftz?", "f32x2", "d, a, b"},
    {"sub", Op::kSub, "<rnd>?", "f64", "d, a, b"},
    {"sub", Op::kSub, "round:rn? ftz? sat?", "<half>", "d, a, b"},
    {"sub", Op::kSub, "round:rn?", "<bhalf>", "d, a, b"},
    {"mul", Op::kMul, "<rnd>? ftz? sat?", "f32", "d, a, b"},
    {"mul", Op::kMul, "<rnd>? ftz?", "f32x2", "d, a, b"},
    {"mul", Op::kMul, "<rnd>?", "f64", "d, a, b"},
    {"mul", Op::kMul, "round:rn? ftz? sat?", "<half>", "d, a, b"},
    {"mul", Op::kMul, "round:rn?", "<bhalf>", "d, a, b"},
    {"fma", Op::kFma, "<rnd> ftz? sat?", "f32", "d, a, b, c"},
    {"fma", Op::kFma, "<rnd> ftz?", "f32x2", "d, a, b, c"},
    {"fma", Op::kFma, "<rnd>", "f64", "d, a, b, c"},
    {"fma", Op::kFma, "round:rn ftz? sat?", "<half>", "d, a, b, c"},
    {"fma", Op::kFma, "round:rn ftz? relu", "<half>", "d, a, b, c"},
    {"fma", Op::kFma, "round:rn relu?", "<bhalf>", "d, a, b, c"},
    // On floating-point values mad is fma.
    {"mad", Op::kFma, "<rnd> ftz? sat?", "f32", "d, a, b, c"},
    {"mad", Op::kFma, "<rnd>", "f64", "d, a, b, c"},
    {"div", Op::kDiv, "approx ftz?", "f32", "d, a, b"},
    {"div", Op::kDiv, "full ftz?", "f32", "d, a, b"},
    {"div", Op::kDiv, "<rnd> ftz?", "f32", "d, a, b"},
    {"div", Op::kDiv, "<rnd>", "f64", "d, a, b"},
    {"abs", Op::kAbs, "ftz?", "f32|f16|f16x2", "d, a"},
    {"abs", Op::kAbs, "", "f64|bf16|bf16x2", "d, a"},
    {"neg", Op::kNeg, "ftz?", "f32|f16|f16x2", "d, a"},
    {"neg", Op::kNeg, "", "f64|bf16|bf16x2", "d, a"},
    {"min", Op::kMin, "ftz? NaN?", "f32", "d, a, b; d, a, b, c", CountMinMaxInputs},
    {"min", Op::kMin, "ftz? NaN? xorsign abs", "f32", "d, a, b"},
    {"min", Op::kMin, "", "f64", "d, a, b"},
    {"min", Op::kMin, "ftz? NaN?", "<half>", "d, a, b"},
    {"min", Op::kMin, "ftz? NaN? xorsign abs", "<half>", "d, a, b"},
    {"min", Op::kMin, "NaN?", "<bhalf>", "d, a, b"},
    {"min", Op::kMin, "NaN? xorsign abs", "<bhalf>", "d, a, b"},
    {"max", Op::kMax, "ftz? NaN?", "f32", "d, a, b; d, a, b, c", CountMinMaxInputs},
    {"max", Op::kMax, "ftz? NaN? xorsign abs", "f32", "d, a, b"},
    {"max", Op::kMax, "", "f64", "d, a, b"},
    {"max", Op::kMax, "ftz? NaN?", "<half>", "d, a, b"},
    {"max", Op::kMax, "ftz? NaN? xorsign abs", "<half>", "d, a, b"},
    {"max", Op::kMax, "NaN?", "<bhalf>", "d, a, b"},
    {"max", Op::kMax, "NaN? xorsign abs", "<bhalf>", "d, a, b"},
    {"rcp", Op::kRcp, "approx ftz?", "f32", "d, a"},
    {"rcp", Op::kRcp, "<rnd> ftz?", "f32", "d, a"},
    {"rcp", Op::kRcp, "approx ftz", "f64", "d, a"},
    {"rcp", Op::kRcp, "<rnd>", "f64", "d, a"},
    {"sqrt", Op::kSqrt, "approx ftz?", "f32", "d, a"},
    {"sqrt", Op::kSqrt, "<rnd> ftz?", "f32", "d, a"},
    {"sqrt", Op::kSqrt, "<rnd>", "f64", "d, a"},
    {"rsqrt", Op::kRsqrt, "approx ftz?", "f32|f64", "d, a"},
    {"sin", Op::kSin, "approx ftz?", "f32", "d, a"},
    {"cos", Op::kCos, "approx ftz?", "f32", "d, a"},
    {"lg2", Op::kLg2, "approx ftz?", "f32", "d, a"},
    {"ex2", Op::kEx2, "approx ftz?", "f32", "d, a"},
    {"ex2", Op::kEx2, "approx", "<half>", "d, a"},
    {"ex2", Op::kEx2, "approx ftz", "<bhalf>", "d, a"},
    {"tanh", Op::kTanh, "approx", "f32|f16|f16x2|bf16|bf16x2", "d, a"},
    {"testp", Op::kTestp, "testp:finite|infinite|number|notanumber|normal|subnormal",
     "f32|f64", "d:pred, a"},
    {"copysign", Op::kCopysign, "", "f32|f64", "d, a, b"},
};

}  // namespace

FormSpan FloatForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
