// Inclusive sum of i32 in three launches: scan each block, scan the block sums in
// one block, add the sums of the blocks before. scan_chained does it in one launch
// of blocks that hand the carry on; it needs blocks that start in order.

__device__ int BlockInclusiveScan(int value, int* tile) {
  tile[threadIdx.x] = value;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const int below = threadIdx.x >= step ? tile[threadIdx.x - step] : 0;
    __syncthreads();
    tile[threadIdx.x] += below;
    __syncthreads();
  }
  return tile[threadIdx.x];
}

extern "C" __global__ void scan_blocks(const int* in, int* out, int* sums, int n) {
  extern __shared__ int tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int scanned = BlockInclusiveScan(i < n ? in[i] : 0, tile);
  if (i < n) out[i] = scanned;
  if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = scanned;
}

extern "C" __global__ void scan_sums(int* sums, int blocks) {
  extern __shared__ int tile[];
  int carry = 0;
  for (int base = 0; base < blocks; base += blockDim.x) {
    const int i = base + threadIdx.x;
    const int scanned = BlockInclusiveScan(i < blocks ? sums[i] : 0, tile);
    if (i < blocks) sums[i] = carry + scanned;
    carry += tile[blockDim.x - 1];
    __syncthreads();
  }
}

extern "C" __global__ void scan_add(int* out, const int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

extern "C" __global__ void scan_chained(const int* in, int* out, volatile int* carry,
                                        volatile int* ready, int n) {
  extern __shared__ int tile[];
  __shared__ int before;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int scanned = BlockInclusiveScan(i < n ? in[i] : 0, tile);
  if (threadIdx.x == blockDim.x - 1) {
    int sum = 0;
    if (blockIdx.x > 0) {
      while (ready[blockIdx.x - 1] == 0) {
      }
      __threadfence();
      sum = carry[blockIdx.x - 1];
    }
    before = sum;
    carry[blockIdx.x] = sum + scanned;
    __threadfence();
    ready[blockIdx.x] = 1;
  }
  __syncthreads();
  if (i < n) out[i] = before + scanned;
}
