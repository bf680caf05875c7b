// Weighted neighbourhoods through a shared tile with a halo; zeros outside.

// out[i] = (in[i-2] + 4 in[i-1] + 6 in[i] + 4 in[i+1] + in[i+2]) / 16
extern "C" __global__ void stencil_1d(const float* __restrict__ in,
                                      float* __restrict__ out, int n) {
  extern __shared__ float tile[];
  const int base = blockIdx.x * blockDim.x - 2;
  for (int t = threadIdx.x; t < blockDim.x + 4; t += blockDim.x) {
    const int i = base + t;
    tile[t] = i >= 0 && i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* t = &tile[threadIdx.x];
  out[i] = (t[0] + 4.0f * t[1] + 6.0f * t[2] + 4.0f * t[3] + t[4]) * 0.0625f;
}

// out[y,x] = 4 in[y,x] - its four neighbours, on an h x w grid.
extern "C" __global__ void stencil_2d(const float* __restrict__ in,
                                      float* __restrict__ out, int h, int w) {
  extern __shared__ float tile[];
  const int pitch = blockDim.x + 2;
  const int threads = blockDim.x * blockDim.y;
  for (int t = threadIdx.y * blockDim.x + threadIdx.x; t < pitch * (blockDim.y + 2);
       t += threads) {
    const int y = blockIdx.y * blockDim.y + t / pitch - 1;
    const int x = blockIdx.x * blockDim.x + t % pitch - 1;
    tile[t] = y >= 0 && y < h && x >= 0 && x < w ? in[y * w + x] : 0.0f;
  }
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float* t = &tile[(threadIdx.y + 1) * pitch + threadIdx.x + 1];
  out[y * w + x] = 4.0f * t[0] - t[-pitch] - t[pitch] - t[-1] - t[1];
}
