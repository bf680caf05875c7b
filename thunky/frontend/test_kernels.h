// Small kernels of tests.
#ifndef THUNKY_FRONTEND_TEST_KERNELS_H_
#define THUNKY_FRONTEND_TEST_KERNELS_H_

#include <string>

#include "thunky/frontend/kernel_code.h"

namespace thunky {

// One block, a thread for each element:
//   add(a, b, out)            out = a + b, f32
//   axpy(x, y, a)             y += a * x, f32; a by value
//   increment(n)              n += 1, i32
//   below(n, limit, flag)     flag = n < limit; i32, limit by value, flag a bool
//   is_null(pointer, out)     out = pointer == null, i32
//   address(pointer, out)     out = pointer, u64
//   trap(x)                   never returns
inline const char kTestPtx[] = R"(.version 8.0
.target sm_70
.address_size 64

.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 out) {
  .reg .b64 %rd<5>;
  .reg .b32 %r<2>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd4, %r1, 4;
  add.s64 %rd1, %rd1, %rd4;
  add.s64 %rd2, %rd2, %rd4;
  add.s64 %rd3, %rd3, %rd4;
  ld.global.f32 %f1, [%rd1];
  ld.global.f32 %f2, [%rd2];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd3], %f3;
  ret;
}

.visible .entry axpy(.param .u64 x, .param .u64 y, .param .f32 a) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<2>;
  .reg .f32 %f<5>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.f32 %f1, [a];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.f32 %f2, [%rd1];
  ld.global.f32 %f3, [%rd2];
  fma.rn.f32 %f4, %f1, %f2, %f3;
  st.global.f32 [%rd2], %f4;
  ret;
}

.visible .entry increment(.param .u64 n) {
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [n];
  ld.global.u32 %r1, [%rd1];
  add.s32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  ret;
}

.visible .entry below(.param .u64 n, .param .u32 limit, .param .u64 flag) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<4>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [n];
  ld.param.u32 %r1, [limit];
  ld.param.u64 %rd2, [flag];
  ld.global.u32 %r2, [%rd1];
  setp.lt.s32 %p1, %r2, %r1;
  selp.u32 %r3, 1, 0, %p1;
  st.global.u8 [%rd2], %r3;
  ret;
}

.visible .entry is_null(.param .u64 pointer, .param .u64 out) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [pointer];
  ld.param.u64 %rd2, [out];
  setp.eq.u64 %p1, %rd1, 0;
  selp.u32 %r1, 1, 0, %p1;
  st.global.u32 [%rd2], %r1;
  ret;
}

.visible .entry address(.param .u64 pointer, .param .u64 out) {
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [pointer];
  ld.param.u64 %rd2, [out];
  st.global.u64 [%rd2], %rd1;
  ret;
}

.visible .entry trap(.param .u64 x) {
  trap;
}
)";

inline KernelCode test_kernels() { return KernelCode::ptx(kTestPtx, "kernels"); }

}  // namespace thunky

#endif  // THUNKY_FRONTEND_TEST_KERNELS_H_
