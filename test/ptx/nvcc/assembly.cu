// Inline assembly with scopes of its own, inlined functions with line
// information, warp shuffles and matrix instructions.
#include <cstdint>

__device__ uint32_t Lane() {
  uint32_t lane;
  asm volatile("{\n\t.reg .u32 t;\n\tmov.u32 t, %%laneid;\n\tadd.u32 %0, t, 1;\n\t}"
               : "=r"(lane));
  return lane;
}

__device__ float WarpSum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  return value;
}

__device__ void MultiplyAdd(float (&d)[4], const uint32_t (&a)[4],
                            const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern __shared__ float dynamic[];

__global__ void Assembly(float* out, const float* in, const uint32_t* bits) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(dynamic))),
               "l"(in));
  asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
  uint32_t a[4] = {bits[0], bits[1], bits[2], bits[3]};
  uint32_t b[2] = {bits[4], bits[5]};
  float d[4] = {0, 1, 2, 3};
  MultiplyAdd(d, a, b);
  out[threadIdx.x] = WarpSum(dynamic[threadIdx.x & 3] + d[0] + d[3]) + Lane();
}
