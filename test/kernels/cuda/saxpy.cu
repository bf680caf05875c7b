// y = a * x + y, with the scalars passed by value.

extern "C" __global__ void saxpy(const float* __restrict__ x, float* y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// The same with a grid-stride loop: any grid covers all elements.
extern "C" __global__ void saxpy_strided(const float* __restrict__ x, float* y, float a,
                                         int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

// By-value parameters of every width, so that packing and alignment show.
extern "C" __global__ void mixed_scalars(double* out, signed char a, unsigned short b,
                                         int c, long long d, float e, double f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a + b + c + static_cast<double>(d) + e + f + i;
}
