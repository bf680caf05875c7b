// Three ways to add up integers.
//
// make_ptx.sh makes sums.ptx from this file.

// One thread.
extern "C" __global__ void sum_serial(const int* x, int* sum, int n) {
  int value = 0;
  for (int i = 0; i < n; ++i) value += x[i];
  *sum = value;
}

// One block of 256 threads, a tree in shared memory.
extern "C" __global__ void sum_tree(const int* x, int* sum, int n) {
  __shared__ int partial[256];
  int value = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) value += x[i];
  partial[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *sum = partial[0];
}

// Any number of blocks. *sum is 0 before.
extern "C" __global__ void sum_atomic(const int* x, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}

// Writes which of the three suits `n`: 0, 1 or 2.
extern "C" __global__ void choose(int* algorithm, int n) {
  *algorithm = n < 64 ? 0 : n < 4096 ? 1 : 2;
}
