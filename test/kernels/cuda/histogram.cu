// Atomics: in shared and global memory, with and without the old value.

// counts[64] += how often each value % 64 occurs; one table a block, then merged.
extern "C" __global__ void histogram(const unsigned* in, unsigned* counts, int n) {
  __shared__ unsigned table[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x) table[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    atomicAdd(&table[in[i] % 64], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) {
    if (table[i] != 0) atomicAdd(&counts[i], table[i]);
  }
}

// Each thread takes a ticket: tickets[i] is the old value of the counter.
extern "C" __global__ void take_tickets(unsigned* counter, unsigned* tickets, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tickets[i] = atomicAdd(counter, 1u);
}

// One cell for each read-modify-write operation; `cells` are as the caller filled
// them. Word 8 of `cells` takes a compare-and-swap loop that adds 3.
extern "C" __global__ void atomic_operations(int* cells, unsigned long long* wide,
                                             float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMin(&cells[0], i * 7 % 101);
  atomicMax(&cells[1], i * 7 % 101);
  atomicAnd(&cells[2], ~(1 << (i % 31)));
  atomicOr(&cells[3], 1 << (i % 31));
  atomicXor(&cells[4], i);
  atomicInc(reinterpret_cast<unsigned*>(&cells[5]), 9u);
  atomicDec(reinterpret_cast<unsigned*>(&cells[6]), 9u);
  atomicSub(&cells[7], 2);
  int seen = cells[8];
  int expected;
  do {
    expected = seen;
    seen = atomicCAS(&cells[8], expected, expected + 3);
  } while (seen != expected);
  atomicAdd(&wide[0], static_cast<unsigned long long>(i) << 20);
  atomicMax(&wide[1], static_cast<unsigned long long>(i) * 0x100000001ull);
  atomicAdd(sum, 0.5f);
}

// slots[0 .. n-1] must be 0; afterwards the thread numbers lie in a ring: every
// thread puts its number into the cell and keeps what was there.
extern "C" __global__ void exchange_ring(int* cell, int* kept, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) kept[i] = atomicExch(cell, i + 1);
}
