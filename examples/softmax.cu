// A softmax over the rows of a matrix in three kernels. One block works on one row.
//
// make_ptx.sh makes softmax.ptx from this file.
#include <cfloat>

namespace {

struct Max {
  static constexpr float kNeutral = -FLT_MAX;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  static constexpr float kNeutral = 0;
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Combines one value of each thread of the block; thread 0 gets the result. The block
// has at most 1024 threads, a multiple of 32.
template <typename Combine>
__device__ float combine_block(float value, Combine combine) {
  __shared__ float of_warp[32];
  for (int offset = 16; offset > 0; offset /= 2) {
    value = combine(value, __shfl_down_sync(0xffffffff, value, offset));
  }
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return Combine::kNeutral;
  value = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : Combine::kNeutral;
  for (int offset = 16; offset > 0; offset /= 2) {
    value = combine(value, __shfl_down_sync(0xffffffff, value, offset));
  }
  return value;
}

}  // namespace

// largest[row] = max(x[row, :])
extern "C" __global__ void row_max(const float* x, float* largest, int columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float value = Max::kNeutral;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) value = fmaxf(value, row[i]);
  value = combine_block(value, Max());
  if (threadIdx.x == 0) largest[blockIdx.x] = value;
}

// y[row, :] = exp(x[row, :] - largest[row]); sums[row] = sum(y[row, :])
extern "C" __global__ void row_exp(const float* x, const float* largest, float* y,
                                   float* sums, int columns) {
  const size_t begin = static_cast<size_t>(blockIdx.x) * columns;
  float value = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    const float e = expf(x[begin + i] - largest[blockIdx.x]);
    y[begin + i] = e;
    value += e;
  }
  value = combine_block(value, Sum());
  if (threadIdx.x == 0) sums[blockIdx.x] = value;
}

// y[row, :] /= sums[row]
extern "C" __global__ void row_divide(float* y, const float* sums, int columns) {
  const size_t begin = static_cast<size_t>(blockIdx.x) * columns;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    y[begin + i] /= sums[blockIdx.x];
  }
}
