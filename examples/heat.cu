// Heat in a rod, by Jacobi's method.
//
// make_ptx.sh makes heat.ptx from this file.

// One step: each point becomes the mean of its neighbours; the ends stay as they are.
extern "C" __global__ void heat_step(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  to[i] = i == 0 || i == n - 1 ? from[i] : 0.5f * (from[i - 1] + from[i + 1]);
}

// *moving = some point differs by more than `tolerance`. One block.
extern "C" __global__ void still_moving(const float* a, const float* b, bool* moving,
                                        float tolerance, int n) {
  int mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    mine |= fabsf(a[i] - b[i]) > tolerance;
  }
  const int anybody = __syncthreads_or(mine);
  if (threadIdx.x == 0) *moving = anybody != 0;
}

// ++*counter. One thread.
extern "C" __global__ void count(int* counter) { ++*counter; }
