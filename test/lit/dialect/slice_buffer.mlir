// RUN: thunky-opt %s | thunky-opt | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<64>, %e: !thunky.buffer<0>) {
  // All of a buffer, its last byte, and nothing, also at the end.
  // CHECK: thunky.slice_buffer %arg0[0] : <64> -> <64>
  // CHECK: thunky.slice_buffer %arg0[63] : <64> -> <1>
  // CHECK: thunky.slice_buffer %arg0[64] : <64> -> <0>
  // CHECK: thunky.slice_buffer %arg1[0] : <0> -> <0>
  %0 = thunky.slice_buffer %a[0] : <64> -> <64>
  %1 = thunky.slice_buffer %a[63] : <64> -> <1>
  %2 = thunky.slice_buffer %a[64] : <64> -> <0>
  %3 = thunky.slice_buffer %e[0] : <0> -> <0>
  // A chain: offsets count in the parent.
  // CHECK: %[[MIDDLE:.*]] = thunky.slice_buffer %arg0[16] : <64> -> <32>
  // CHECK: thunky.slice_buffer %[[MIDDLE]][16] : <32> -> <16>
  %4 = thunky.slice_buffer %a[16] : <64> -> <32>
  %5 = thunky.slice_buffer %4[16] : <32> -> <16>
  return
}
