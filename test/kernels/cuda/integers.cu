// 64-bit and carry arithmetic, and bit operations.

// Ten words a thread, from two inputs.
extern "C" __global__ void wide_integers(const unsigned long long* a,
                                         const unsigned long long* b,
                                         unsigned long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long x = a[i];
  const unsigned long long y = b[i];
  unsigned long long* o = out + 10ll * i;
  o[0] = __umul64hi(x, y);
  o[1] = static_cast<unsigned long long>(
      __mul64hi(static_cast<long long>(x), static_cast<long long>(y)));
  o[2] = x / (y | 1);
  o[3] = x % (y | 1);
  o[4] = static_cast<unsigned long long>(static_cast<long long>(x) >> (y & 63));
  o[5] = static_cast<unsigned long long>(static_cast<long long>(x) /
                                         static_cast<long long>((y >> 40) + 3));
  o[6] = static_cast<unsigned long long>(__popcll(x)) << 32 | __clzll(y);
  o[7] = __brevll(x) ^ __brev(static_cast<unsigned>(y));
  o[8] = static_cast<unsigned long long>(
             __byte_perm(static_cast<unsigned>(x), static_cast<unsigned>(y), 0x6142)) |
         static_cast<unsigned long long>(__funnelshift_l(
             static_cast<unsigned>(x), static_cast<unsigned>(y >> 32), i & 31))
             << 32;
  o[9] = static_cast<unsigned long long>(__ffsll(static_cast<long long>(y))) ^
         (x < y ? x : y);
}

// out = a + b over 128 bits, by a carry chain of four words.
extern "C" __global__ void add_128(const uint4* a, const uint4* b, uint4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint4 x = a[i];
  const uint4 y = b[i];
  uint4 r;
  asm("add.cc.u32 %0, %4, %8;\n\t"
      "addc.cc.u32 %1, %5, %9;\n\t"
      "addc.cc.u32 %2, %6, %10;\n\t"
      "addc.u32 %3, %7, %11;"
      : "=&r"(r.x), "=&r"(r.y), "=&r"(r.z), "=r"(r.w)
      : "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w), "r"(y.x), "r"(y.y), "r"(y.z), "r"(y.w));
  out[i] = r;
}

// out = a - b over 128 bits.
extern "C" __global__ void sub_128(const uint4* a, const uint4* b, uint4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint4 x = a[i];
  const uint4 y = b[i];
  uint4 r;
  asm("sub.cc.u32 %0, %4, %8;\n\t"
      "subc.cc.u32 %1, %5, %9;\n\t"
      "subc.cc.u32 %2, %6, %10;\n\t"
      "subc.u32 %3, %7, %11;"
      : "=&r"(r.x), "=&r"(r.y), "=&r"(r.z), "=r"(r.w)
      : "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w), "r"(y.x), "r"(y.y), "r"(y.z), "r"(y.w));
  out[i] = r;
}

// out = low 128 bits of a * b for a of 64 and b of 64 bits, by 32-bit madc chains.
extern "C" __global__ void mul_64_by_madc(const uint2* a, const uint2* b, uint4* out,
                                          int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint2 x = a[i];
  const uint2 y = b[i];
  uint4 r;
  asm("{\n\t"
      "mul.lo.u32 %0, %4, %6;\n\t"
      "mul.hi.u32 %1, %4, %6;\n\t"
      "mad.lo.cc.u32 %1, %5, %6, %1;\n\t"
      "madc.hi.u32 %2, %5, %6, 0;\n\t"
      "mad.lo.cc.u32 %1, %4, %7, %1;\n\t"
      "madc.hi.cc.u32 %2, %4, %7, %2;\n\t"
      "addc.u32 %3, 0, 0;\n\t"
      "mad.lo.cc.u32 %2, %5, %7, %2;\n\t"
      "madc.hi.u32 %3, %5, %7, %3;\n\t"
      "}"
      : "=&r"(r.x), "=&r"(r.y), "=&r"(r.z), "=&r"(r.w)
      : "r"(x.x), "r"(x.y), "r"(y.x), "r"(y.y));
  out[i] = r;
}
