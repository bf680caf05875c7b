// What goes between programs of somebody else.
//
// make_ptx.sh makes elementwise.ptx from this file.

// y = factor * x
extern "C" __global__ void scale(const float* x, float* y, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}

// x = a * x + b * y
extern "C" __global__ void blend(float* x, const float* y, float a, float b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = a * x[i] + b * y[i];
}
