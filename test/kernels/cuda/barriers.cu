// Barriers where control flow is not straight.

// Threads beyond n leave at once; the others meet at barriers and reverse their
// block's part of the array. Exited threads count as arrived.
extern "C" __global__ void early_exit(const int* in, int* out, int n) {
  extern __shared__ int tile[];
  const int base = blockIdx.x * blockDim.x;
  const int i = base + threadIdx.x;
  if (i >= n) return;
  const int count = n - base < static_cast<int>(blockDim.x) ? n - base : blockDim.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[count - 1 - threadIdx.x];
}

// A barrier in each side of a branch that a whole block takes one way.
extern "C" __global__ void branch_barrier(const int* in, int* out, int n) {
  extern __shared__ int tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int next = (threadIdx.x + 1) % blockDim.x;
  int result;
  if (blockIdx.x % 2 == 0) {
    tile[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    result = tile[next];
  } else {
    tile[threadIdx.x] = i < n ? in[i] * 3 : 0;
    __syncthreads();
    result = tile[next] + tile[threadIdx.x];
  }
  if (i < n) out[i] = result;
}

// Barriers in nested loops: each block rotates its values by 1 + 2 + ... + depth.
extern "C" __global__ void nested_loop_barrier(const int* in, int* out, int n,
                                               int depth) {
  extern __shared__ int tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : -1;
  __syncthreads();
  for (int outer = 1; outer <= depth; ++outer) {
    for (int inner = 0; inner < outer; ++inner) {
      const int value = tile[(threadIdx.x + 1) % blockDim.x];
      __syncthreads();
      tile[threadIdx.x] = value;
      __syncthreads();
    }
  }
  if (i < n) out[i] = tile[threadIdx.x];
}

// __syncthreads_count, _and, _or: three words a block.
extern "C" __global__ void counting_barrier(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 1;
  const int count = __syncthreads_count(value % 3 == 0);
  const int every = __syncthreads_and(value > 0);
  const int some = __syncthreads_or(value > 95);
  if (threadIdx.x == 0) {
    out[blockIdx.x * 3] = count;
    out[blockIdx.x * 3 + 1] = every != 0;
    out[blockIdx.x * 3 + 2] = some != 0;
  }
}

// Wrong on purpose: even and odd threads of a warp come to barrier 0 from different
// instructions.
extern "C" __global__ void divergent_barrier(int* out) {
  if (threadIdx.x % 2 == 0) {
    asm volatile("bar.sync 0;  // even" ::: "memory");
    out[threadIdx.x] = 2;
  } else {
    asm volatile("bar.sync 0;  // odd" ::: "memory");
    out[threadIdx.x] = 1;
  }
}

// Wrong on purpose: each half of the block waits at a barrier of its own, for the
// whole block.
extern "C" __global__ void halves_wait_apart(int* out) {
  if (threadIdx.x < blockDim.x / 2) {
    asm volatile("bar.sync 1;" ::: "memory");
  } else {
    asm volatile("bar.sync 2;" ::: "memory");
  }
  out[threadIdx.x] = 1;
}

// Wrong on purpose: neighbours' values are read with no barrier in between.
extern "C" __global__ void missing_barrier(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[(threadIdx.x + 33) % blockDim.x];
}

// Wrong on purpose: the odd half of shared memory is read but never written.
extern "C" __global__ void unwritten_shared(int* out) {
  extern __shared__ int tile[];
  tile[2 * threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[2 * threadIdx.x + 1];
}
