// Matrix fragments and the multiply-accumulate of a warp.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

constexpr Form kForms[] = {
    {"ldmatrix", Op::kLdmatrix,
     "lit:sync aligned shape:m8n8 vec:x1|x2|x4 trans? <shared>?", "b16", "d{v}:b32, [a]"},
    {"stmatrix", Op::kStmatrix,
     "lit:sync aligned shape:m8n8 vec:x1|x2|x4 trans? <shared>?", "b16", "[a], b{v}:b32"},
    {"mma", Op::kMma, "lit:sync aligned shape:m16n8k16 lit:row lit:col",
     "f32 f16 f16 f32", "d{4}:f32, a{4}:f16x2, b{2}:f16x2, c{4}:f32"},
    {"mma", Op::kMma, "lit:sync aligned shape:m16n8k16 lit:row lit:col",
     "f32 bf16 bf16 f32", "d{4}:f32, a{4}:b32, b{2}:b32, c{4}:f32"},
    {"mma", Op::kMma, "lit:sync aligned shape:m16n8k8 lit:row lit:col", "f32 f16 f16 f32",
     "d{4}:f32, a{2}:f16x2, b{1}:f16x2, c{4}:f32"},
    {"mma", Op::kMma, "lit:sync aligned shape:m16n8k8 lit:row lit:col",
     "f32 tf32 tf32 f32", "d{4}:f32, a{4}:b32, b{2}:b32, c{4}:f32"},
};

}  // namespace

FormSpan MatrixForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
