// RUN: thunky-opt %s | thunky-opt | FileCheck %s
// Every operation, as printed.

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 a, .param .u64 b) { ret; }\0A"}

// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %p: !thunky.buffer<1>,
                %i: !thunky.buffer<4>) {
  // CHECK: thunky.slice_buffer %arg0[16] : <64> -> <32>
  %low = thunky.slice_buffer %a[16] : <64> -> <32>
  // CHECK: thunky.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> -> <8>
  %c = thunky.constant dense<[1.0, 2.0]> : tensor<2xf32> -> <8>
  // CHECK: thunky.memzero %{{.*}} : <32>
  thunky.memzero %low : <32>
  // CHECK: thunky.memset32 %arg1, 0x3f800000 : <64>
  thunky.memset32 %b, 0x3f800000 : <64>
  // CHECK: thunky.copy %arg0 -> %arg1 : <64>, <64>
  thunky.copy %a -> %b : <64>, <64>
  // CHECK: thunky.ptx_kernel @code "k" grid [4, 1, 1] block [32, 1, 1] shmem 128 pdl (%arg0 read : <64>, %arg1 write_all : <64>)
  thunky.ptx_kernel @code "k" grid [4, 1, 1] block [32, 1, 1] shmem 128 pdl
      (%a read : <64>, %b write_all : <64>)
  // CHECK: thunky.cond %arg2 : <1> {
  thunky.cond %p : <1> {
    thunky.memzero %a : <64>
  // CHECK: }, {
  }, {
  }
  // CHECK: thunky.while %arg2 : <1> trip_count 3 cond {
  thunky.while %p : <1> trip_count 3 cond {
  // CHECK: } body {
  } body {
    thunky.partition_id %i : <4>
    thunky.replica_id %i : <4>
  }
  // CHECK: %[[TOKEN:.*]] = thunky.async_start stream 2 communication {
  %t = thunky.async_start stream 2 communication {
    thunky.memzero %a : <64>
  }
  // CHECK: thunky.async_done %[[TOKEN]]
  thunky.async_done %t
  return
}
