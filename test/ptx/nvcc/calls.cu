// printf, function pointers, constant tables, templates, a jump table.
#include <cstdio>

__constant__ float weights[4] = {1.5f, -2.0f, 3.0f, 0.5f};
__device__ int counter = 7;
__device__ int* counter_address = &counter;

__device__ __noinline__ float Scale(float x, int n) {
  return n > 3 ? x * weights[n & 3] : x;
}
__device__ __noinline__ float Shift(float x, int n) { return x + n; }

using Function = float (*)(float, int);
__device__ Function functions[2] = {Scale, Shift};

struct Point {
  float x, y, z;
};

template <typename T>
__global__ void Apply(T* out, const T* in, int n, Point point) {
  __shared__ T cache[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cache[threadIdx.x] = i < n ? in[i] : T(0);
  __syncthreads();
  if (i < n) out[i] = functions[i & 1](cache[threadIdx.x ^ 1], i) + point.y;
  switch (n) {
    case 0:
      out[0] = 3;
      break;
    case 1:
      out[1] = point.x;
      break;
    case 2:
      out[2] = 9;
      break;
    case 3:
      out[3] = point.z;
      break;
    case 4:
      out[8] = 1;
      break;
    case 5:
      out[7] = 2;
      break;
    case 6:
      out[1] = 77;
      break;
  }
  if (i == 0) printf("n = %d, \"%f\"\n\t\\", n, double(out[0]));
  atomicAdd(counter_address, 1);
}
template __global__ void Apply<float>(float*, const float*, int, Point);
template __global__ void Apply<double>(double*, const double*, int, Point);

__global__ void __launch_bounds__(256, 2) Bounded(float4* data) {
  float4 value = data[threadIdx.x];
  value.x += 1;
  data[threadIdx.x] = value;
}
