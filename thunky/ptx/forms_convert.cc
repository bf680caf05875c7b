// Conversions between types and between address spaces.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

constexpr std::string_view kOne = "d~, %a:S~";
constexpr std::string_view kTwo = "d~, a:S, b:S";

constexpr Form kForms[] = {
    // Between integers, and between integers and floating-point values.
    {"cvt", Op::kCvt, "sat?", "<int8> <int8>", kOne},
    {"cvt", Op::kCvt, "<irnd> ftz? sat?", "<int8> f32", kOne},
    {"cvt", Op::kCvt, "<irnd> sat?", "<int8> f16|f64", kOne},
    {"cvt", Op::kCvt, "<irnd>", "<int8> bf16", kOne},
    {"cvt", Op::kCvt, "<rnd> ftz? sat?", "f32 <int8>", kOne},
    {"cvt", Op::kCvt, "<rnd> sat?", "f16|f64 <int8>", kOne},
    {"cvt", Op::kCvt, "<rnd>", "bf16 <int8>", kOne},
    // Between floating-point values: to the same, a wider, a narrower type.
    {"cvt", Op::kCvt, "<irnd>? ftz? sat?", "f32 f32", kOne},
    {"cvt", Op::kCvt, "<irnd>? sat?", "f16 f16", kOne},
    {"cvt", Op::kCvt, "<irnd>? sat?", "f64 f64", kOne},
    {"cvt", Op::kCvt, "<irnd>?", "bf16 bf16", kOne},
    {"cvt", Op::kCvt, "ftz? sat?", "f32 f16|bf16", kOne},
    {"cvt", Op::kCvt, "ftz? sat?", "f64 f32", kOne},
    {"cvt", Op::kCvt, "sat?", "f64 f16", kOne},
    {"cvt", Op::kCvt, "", "f64 bf16", kOne},
    {"cvt", Op::kCvt, "<rnd> ftz? sat?", "f32 f64", kOne},
    {"cvt", Op::kCvt, "<rnd> ftz? sat?", "f16 f32", kOne},
    {"cvt", Op::kCvt, "round:rn|rz relu", "f16|bf16 f32", kOne},
    {"cvt", Op::kCvt, "round:rn|rz relu? satfinite", "f16|bf16 f32", kOne},
    {"cvt", Op::kCvt, "<rnd> sat?", "f16 f64", kOne},
    {"cvt", Op::kCvt, "<rnd>", "f16 bf16", kOne},
    {"cvt", Op::kCvt, "<rnd>", "bf16 f16|f32|f64", kOne},
    {"cvt", Op::kCvt, "round:rna satfinite?", "tf32 f32", kOne},
    {"cvt", Op::kCvt, "round:rn|rz relu? satfinite?", "tf32 f32", kOne},
    // Two values at a time.
    {"cvt", Op::kCvt, "round:rn|rz relu? satfinite?", "f16x2|bf16x2 f32", kTwo},
    {"cvt", Op::kCvt, "round:rn satfinite relu?", "e4m3x2|e5m2x2 f32", kTwo},
    {"cvt", Op::kCvt, "round:rn satfinite relu?", "e4m3x2|e5m2x2 f16x2", "d, a:S"},
    {"cvt", Op::kCvt, "round:rn relu?", "f16x2 e4m3x2|e5m2x2", "d, a:S"},
    {"cvta", Op::kCvta, "<any_space> to?", "u32|u64", "d, &a"},
    {"isspacep", Op::kIsspacep, "<any_space>", "", "d:pred, a:u64"},
};

}  // namespace

FormSpan ConvertForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
