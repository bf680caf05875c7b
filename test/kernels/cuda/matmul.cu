// C[m,n] = A[m,k] * B[k,n], row major, by 8 x 8 or 16 x 16 tiles in shared memory.

template <int kTile>
__device__ void TiledMatmul(const float* a, const float* b, float* c, int m, int n,
                            int k) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int base = 0; base < k; base += kTile) {
    const int ka = base + threadIdx.x;
    const int kb = base + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = kb < k && column < n ? b[kb * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      sum = fmaf(tile_a[threadIdx.y][i], tile_b[i][threadIdx.x], sum);
    }
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

extern "C" __global__ void matmul_8(const float* a, const float* b, float* c, int m,
                                    int n, int k) {
  TiledMatmul<8>(a, b, c, m, n, k);
}

extern "C" __global__ void matmul_16(const float* a, const float* b, float* c, int m,
                                     int n, int k) {
  TiledMatmul<16>(a, b, c, m, n, k);
}
