// Matrix multiplication and triangular solve.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"

namespace thunky::schema::kinds {
namespace {

// An output that is scaled into (beta != 0) is read too.
AccessMode OutputMode(double beta) {
  return beta == 0 ? AccessMode::kWriteAll : AccessMode::kReadWrite;
}

void GemmAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const wire::GemmThunkProto& gemm = thunk.gemm_thunk();
  accesses->push_back({SliceOf(gemm.lhs_buffer()), AccessMode::kRead, "lhs_buffer"});
  accesses->push_back({SliceOf(gemm.rhs_buffer()), AccessMode::kRead, "rhs_buffer"});
  accesses->push_back({SliceOf(gemm.output_buffer()),
                       OutputMode(gemm.gemm_config().beta()), "output_buffer"});
  if (gemm.has_workspace()) {
    accesses->push_back(
        {SliceOf(gemm.workspace()), AccessMode::kWriteAll, "workspace", true});
  }
}

absl::Status VerifyGemm(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::GemmThunkProto& gemm = thunk.gemm_thunk();
  RETURN_IF_ERROR(CheckPresent(gemm.has_gemm_config(), "gemm_config"));
  RETURN_IF_ERROR(CheckPresent(gemm.has_lhs_buffer(), "lhs_buffer"));
  RETURN_IF_ERROR(CheckPresent(gemm.has_rhs_buffer(), "rhs_buffer"));
  RETURN_IF_ERROR(CheckPresent(gemm.has_output_buffer(), "output_buffer"));
  return CheckOwnAccesses(ThunkKind::kGemm, thunk, context);
}

using Matmul = wire::CublasLtMatmulThunkProto;

// One buffer of a cublasLt call: where it is, whether it is there, how it is used.
struct MatmulBuffer {
  const char* role;
  bool (Matmul::*present)() const;
  const wire::ShapedSliceProto& (Matmul::*get)() const;
  AccessMode mode;
  bool required;
  bool workspace = false;
};

constexpr MatmulBuffer kMatmulBuffers[] = {
    {"a", &Matmul::has_a, &Matmul::a, AccessMode::kRead, true},
    {"b", &Matmul::has_b, &Matmul::b, AccessMode::kRead, true},
    {"c", &Matmul::has_c, &Matmul::c, AccessMode::kRead, true},
    {"d", &Matmul::has_d, &Matmul::d, AccessMode::kWriteAll, true},
    {"group_sizes", &Matmul::has_group_sizes, &Matmul::group_sizes, AccessMode::kRead,
     false},
    {"bias", &Matmul::has_bias, &Matmul::bias, AccessMode::kRead, false},
    {"aux", &Matmul::has_aux, &Matmul::aux, AccessMode::kWriteAll, false},
    {"a_scale", &Matmul::has_a_scale, &Matmul::a_scale, AccessMode::kRead, false},
    {"b_scale", &Matmul::has_b_scale, &Matmul::b_scale, AccessMode::kRead, false},
    {"c_scale", &Matmul::has_c_scale, &Matmul::c_scale, AccessMode::kRead, false},
    {"d_scale", &Matmul::has_d_scale, &Matmul::d_scale, AccessMode::kRead, false},
    {"d_amax", &Matmul::has_d_amax, &Matmul::d_amax, AccessMode::kWriteAll, false},
    {"workspace", &Matmul::has_workspace, &Matmul::workspace, AccessMode::kWriteAll,
     false, true},
};

double BetaOf(const Matmul& matmul) {
  return matmul.has_grouped_gemm_config() ? matmul.grouped_gemm_config().beta()
                                          : matmul.gemm_config().beta();
}

void MatmulAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const Matmul& matmul = thunk.cublas_lt_matmul_thunk();
  const bool in_place = SliceOf(matmul.c()) == SliceOf(matmul.d());
  for (const MatmulBuffer& buffer : kMatmulBuffers) {
    if (!(matmul.*buffer.present)()) continue;
    // A c in the place of d is one update of d, and counts only with beta.
    if (in_place && buffer.get == &Matmul::c) continue;
    const bool updated = in_place && buffer.get == &Matmul::d;
    accesses->push_back({SliceOf((matmul.*buffer.get)()),
                         updated ? OutputMode(BetaOf(matmul)) : buffer.mode, buffer.role,
                         buffer.workspace});
  }
}

absl::Status VerifyMatmul(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const Matmul& matmul = thunk.cublas_lt_matmul_thunk();
  if (matmul.impl_case() == Matmul::IMPL_NOT_SET) {
    return Invalid("has neither gemm_config nor grouped_gemm_config");
  }
  for (const MatmulBuffer& buffer : kMatmulBuffers) {
    const bool present = (matmul.*buffer.present)();
    if (buffer.required) RETURN_IF_ERROR(CheckPresent(present, buffer.role));
    if (present) RETURN_IF_ERROR(CheckShaped((matmul.*buffer.get)(), buffer.role));
  }
  if (matmul.autotune_workspace_size() < 0) {
    return Invalid("autotune_workspace_size is ", matmul.autotune_workspace_size(),
                   "; it must not be negative");
  }
  return CheckOwnAccesses(ThunkKind::kCublasLtMatmul, thunk, context);
}

void SolveAccesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const wire::TriangularSolveThunkProto& solve = thunk.triangular_solve_thunk();
  accesses->push_back({SliceOf(solve.a_buffer()), AccessMode::kRead, "a_buffer"});
  // The right-hand side is overwritten by the solution.
  accesses->push_back({SliceOf(solve.b_buffer()), AccessMode::kReadWrite, "b_buffer"});
  if (solve.has_temp_buffer()) {
    accesses->push_back(
        {SliceOf(solve.temp_buffer()), AccessMode::kWriteAll, "temp_buffer", true});
  }
}

absl::Status VerifySolve(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::TriangularSolveThunkProto& solve = thunk.triangular_solve_thunk();
  RETURN_IF_ERROR(CheckPresent(solve.has_options(), "options"));
  RETURN_IF_ERROR(CheckPresent(solve.has_a_buffer(), "a_buffer"));
  RETURN_IF_ERROR(CheckPresent(solve.has_b_buffer(), "b_buffer"));
  RETURN_IF_ERROR(CheckShaped(solve.a_buffer(), "a_buffer"));
  RETURN_IF_ERROR(CheckShaped(solve.b_buffer(), "b_buffer"));
  if (solve.has_temp_buffer()) {
    RETURN_IF_ERROR(CheckShaped(solve.temp_buffer(), "temp_buffer"));
  }
  return CheckOwnAccesses(ThunkKind::kTriangularSolve, thunk, context);
}

constexpr KindRules kRules[] = {
    {ThunkKind::kGemm, VerifyGemm, GemmAccesses, nullptr},
    {ThunkKind::kCublasLtMatmul, VerifyMatmul, MatmulAccesses, nullptr},
    {ThunkKind::kTriangularSolve, VerifySolve, SolveAccesses, nullptr},
};

}  // namespace

absl::Span<const KindRules> BlasRules() { return kRules; }

}  // namespace thunky::schema::kinds
