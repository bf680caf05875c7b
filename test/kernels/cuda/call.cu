// Calls of device functions, with arrays in local memory.

// The largest of eight numbers derived from `seed` once they are shuffled; the
// array is indexed by values, so it cannot live in registers.
__device__ __noinline__ int ShuffledMaximum(unsigned seed, const int* weights) {
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = weights[i] + i * 3;
  for (int i = 0; i < 16; ++i) {
    const unsigned a = (seed >> i) & 7;
    const unsigned b = (seed >> (i + 3)) & 7;
    const int swapped = values[a];
    values[a] = values[b] ^ i;
    values[b] = swapped;
  }
  int largest = values[seed & 7];
  for (int i = 0; i < 8; ++i) largest = values[i] > largest ? values[i] : largest;
  return largest;
}

extern "C" __global__ void call_with_local_array(const unsigned* seeds,
                                                 const int* weights, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = ShuffledMaximum(seeds[i], weights);
}

// Collatz steps, by a function that calls another one in a loop.
__device__ __noinline__ unsigned CollatzNext(unsigned x) {
  return x % 2 == 0 ? x / 2 : 3 * x + 1;
}

__device__ __noinline__ int CollatzSteps(unsigned x) {
  int steps = 0;
  while (x > 1) {
    x = CollatzNext(x);
    ++steps;
  }
  return steps;
}

extern "C" __global__ void collatz(const unsigned* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = CollatzSteps(in[i]);
}
