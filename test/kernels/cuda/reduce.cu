// Sums: a tree in shared memory, and shuffles within a warp. Every block writes
// one partial sum. The block size is a power of two (tree) or a multiple of 32
// (warp).

template <typename T>
__device__ void BlockSum(const T* in, T* partial, int n) {
  extern __shared__ unsigned char raw[];
  T* tile = reinterpret_cast<T*>(raw);
  T sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    sum += in[i];
  }
  tile[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = tile[0];
}

template <typename T>
__device__ T WarpSum(T value) {
  for (int lane = 16; lane > 0; lane /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, lane);
  }
  return value;
}

// One sum a warp: out[global warp number].
template <typename T>
__device__ void WarpSums(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T sum = WarpSum(i < n ? in[i] : T(0));
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}

extern "C" __global__ void block_sum_f32(const float* in, float* partial, int n) {
  BlockSum(in, partial, n);
}

extern "C" __global__ void block_sum_i32(const int* in, int* partial, int n) {
  BlockSum(in, partial, n);
}

extern "C" __global__ void warp_sum_f32(const float* in, float* out, int n) {
  WarpSums(in, out, n);
}

extern "C" __global__ void warp_sum_i32(const int* in, int* out, int n) {
  WarpSums(in, out, n);
}

// The other warp operations, for full warps. Seven words a thread.
extern "C" __global__ void warp_operations(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int value = i < n ? in[i] : 0;
  const unsigned all = 0xffffffffu;
  int results[7];
  results[0] = __shfl_xor_sync(all, value, 5);
  results[1] = __shfl_up_sync(all, value, 3, 8);
  results[2] = __shfl_sync(all, value, lane * 7, 16);
  results[3] = static_cast<int>(__ballot_sync(all, value & 1));
  results[4] = __any_sync(all, value > 90) * 2 + __all_sync(all, value >= 0);
  results[5] = static_cast<int>(__match_any_sync(all, value & 3));
  results[6] = static_cast<int>(__reduce_add_sync(all, static_cast<unsigned>(value)));
  if (i >= n) return;
  for (int k = 0; k < 7; ++k) out[i * 7 + k] = results[k];
}
