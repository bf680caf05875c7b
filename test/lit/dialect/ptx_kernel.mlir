// RUN: thunky-opt %s | thunky-opt | FileCheck %s
// RUN: thunky-opt %s -emit-bytecode | thunky-opt | FileCheck %s

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry none() { ret; }\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A.visible .entry six(.param .u64 a, .param .u64 b, .param .f32 c, .param .b8 d, .param .u64 e, .param .align 4 .b8 f[12]) { ret; }\0A"}

// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %e: !thunky.buffer<0>) {
  // CHECK: thunky.ptx_kernel @code "none" grid [1, 1, 1] block [1, 1, 1] ()
  thunky.ptx_kernel @code "none" grid [1, 1, 1] block [1, 1, 1] ()
  // The largest grid and blocks that CUDA takes.
  // CHECK: grid [2147483647, 65535, 65535] block [1024, 1, 1]
  thunky.ptx_kernel @code "none" grid [2147483647, 65535, 65535] block [1024, 1, 1] ()
  // CHECK: block [4, 4, 64]
  thunky.ptx_kernel @code "none" grid [1, 1, 1] block [4, 4, 64] ()
  // Every access; one buffer twice; one that is empty.
  // CHECK: thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%arg0 read : <64>, %arg1 write : <64>)
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  // CHECK: (%arg0 read_write : <64>, %arg1 write_all : <64>)
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read_write : <64>, %b write_all : <64>)
  // CHECK: (%arg0 read : <64>, %arg0 write : <64>)
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %a write : <64>)
  // CHECK: (%arg2 write : <0>, %arg2 read : <0>)
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%e write : <0>, %e read : <0>)
  // Ranges that overlap may be read.
  %0 = thunky.slice_buffer %a[0] : <64> -> <32>
  %1 = thunky.slice_buffer %a[16] : <64> -> <32>
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%0 read : <32>, %1 read : <32>)
  // Clusters, shared memory, programmatic launch, zeroed outputs, by-value parameters.
  // CHECK: thunky.ptx_kernel @code "six" grid [4, 2, 2] block [32, 1, 1] cluster [4, 2, 2] shmem 232448 pdl (%arg0 write : <64>, %arg1 write_all : <64>) {parameters = [1 : index, 0 : index, 2.500000e+00 : f32, true, unit, array<i8: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1>], zeroed_outputs = array<i64: 0>}
  thunky.ptx_kernel @code "six" grid [4, 2, 2] block [32, 1, 1] cluster [4, 2, 2] shmem 232448 pdl
      (%a write : <64>, %b write_all : <64>)
      {parameters = [1 : index, 0 : index, 2.5 : f32, true, unit,
                     array<i8: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1>],
       zeroed_outputs = array<i64: 0>}
  // Kept though empty.
  // CHECK: {parameters = [], zeroed_outputs = array<i64>}
  thunky.ptx_kernel @code "none" grid [1, 1, 1] block [1, 1, 1] ()
      {parameters = [], zeroed_outputs = array<i64>}
  return
}
