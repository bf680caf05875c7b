// Kernels that stop, that do not stop, that print, and that only look dangerous.

#include <cstdio>

// Traps in the thread whose number equals `bad`; the others write theirs.
extern "C" __global__ void trap_at(int* out, int bad, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == bad) __trap();
  out[i] = i;
}

// Traps when the counter in memory equals `bad`.
extern "C" __global__ void trap_when_equal(const int* counter, int bad) {
  if (*counter == bad) __trap();
}

extern "C" __global__ void print_values(const int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) printf("value[%d] = %d, %5.2f %s\n", i, values[i], values[i] * 0.5, "units");
}

// Runs as long as the flag is 0, so for ever when nobody sets it.
extern "C" __global__ void endless(volatile int* flag) {
  while (*flag == 0) {
  }
}

// Ends at once unless the counter in memory equals `bad`.
extern "C" __global__ void endless_when_equal(volatile int* counter, int bad) {
  while (*counter == bad) {
  }
}

// Writes one element past the end of its n elements.
extern "C" __global__ void write_past_end(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = i;
}

// Odd threads hold a wild address, and their load is predicated off.
extern "C" __global__ void predicated_off_load(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long address =
      i % 2 == 0 ? reinterpret_cast<unsigned long long>(in + i) : 0xdeadbeef0000ull + i;
  int value = -i;
  asm volatile(
      "{\n\t"
      ".reg .pred even;\n\t"
      "setp.eq.s32 even, %2, 0;\n\t"
      "@even ld.global.s32 %0, [%1];\n\t"
      "}"
      : "+r"(value)
      : "l"(address), "r"(i % 2));
  out[i] = value;
}
