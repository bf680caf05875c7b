// Debug information: DWARF sections, a line for every statement.
__device__ int Twice(int value) { return 2 * value; }

__global__ void Debug(int* out) {
  out[threadIdx.x] = Twice(static_cast<int>(threadIdx.x));
}
