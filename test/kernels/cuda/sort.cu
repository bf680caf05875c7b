// Bitonic sort of up to 2 * blockDim.x keys in shared memory, ascending; the block
// size is a power of two. Missing keys are filled with the largest value.

template <typename T>
__device__ void BitonicSort(T* keys, int n, T largest) {
  extern __shared__ unsigned char raw[];
  T* tile = reinterpret_cast<T*>(raw);
  const unsigned size = 2 * blockDim.x;
  for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
    tile[i] = i < n ? keys[i] : largest;
  }
  for (unsigned run = 2; run <= size; run *= 2) {
    for (unsigned step = run / 2; step > 0; step /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (step - 1));
      const bool ascending = (low & run) == 0;
      const T a = tile[low];
      const T b = tile[low + step];
      if ((a > b) == ascending) {
        tile[low] = b;
        tile[low + step] = a;
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
    if (i < n) keys[i] = tile[i];
  }
}

extern "C" __global__ void bitonic_sort_i32(int* keys, int n) {
  BitonicSort(keys, n, 0x7fffffff);
}

extern "C" __global__ void bitonic_sort_f32(float* keys, int n) {
  BitonicSort(keys, n, __int_as_float(0x7f800000));
}
