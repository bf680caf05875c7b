// out[columns, rows] = transpose of in[rows, columns], through a padded tile. The
// block is 32 x h; each thread moves 32 / h elements.

extern "C" __global__ void transpose(const float* __restrict__ in,
                                     float* __restrict__ out, int rows, int columns) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += blockDim.y) {
    const int y = blockIdx.y * 32 + j;
    if (x < columns && y < rows) tile[j][threadIdx.x] = in[y * columns + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += blockDim.y) {
    const int y = blockIdx.x * 32 + j;
    if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][j];
  }
}
