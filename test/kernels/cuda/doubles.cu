// Arithmetic in f64.

// Partial dot products, one a block; the block size is a power of two.
extern "C" __global__ void dot_f64(const double* x, const double* y, double* partial,
                                   int n) {
  extern __shared__ double tile[];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    sum = fma(x[i], y[i], sum);
  }
  tile[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = tile[0];
}

// Horner's rule, a square root, a division and the roundings. Five words a thread;
// each is exactly rounded, so the results are exact.
extern "C" __global__ void polynomial_f64(const double* x, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  double p = fma(v, 0.125, -1.5);
  p = fma(p, v, 3.25);
  p = fma(p, v, -0.75);
  out[5 * i] = p;
  out[5 * i + 1] = sqrt(fabs(v));
  out[5 * i + 2] = v / 3.0;
  out[5 * i + 3] = floor(v) + ceil(v) * 1000.0 + rint(v) * 1000000.0;
  out[5 * i + 4] = static_cast<double>(static_cast<float>(v)) +
                   static_cast<double>(__double2int_rz(v));
}
