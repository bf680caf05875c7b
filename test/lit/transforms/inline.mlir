// RUN: thunky-opt %s -inline -canonicalize | FileCheck %s
// RUN: thunky export %s --target runtime -o %t.bin
// RUN: thunky inspect %t.bin | FileCheck %s --check-prefix=THUNKS

// THUNKS: constants 16 bytes in 1 buffers
// THUNKS: thunks: 13
// THUNKS: thunks[0] memset32 {{.*}}inline.mlir:[[#FILL:]]
// THUNKS: thunks[3] memset32 {{.*}}inline.mlir:[[#FILL]]
// THUNKS: thunks[6] while trip count 2
// THUNKS: thunks[6].while.body[0] memset32 {{.*}}inline.mlir:[[#FILL]]
// THUNKS: thunks[6].while.body[5] device_to_device_copy

// Every call is a copy of the function's thunks on the buffers it is given, views
// among them and the same one twice.
func.func private @fill(%low: !thunky.buffer<16>, %high: !thunky.buffer<16>) {
  %0 = thunky.slice_buffer %low[4] : <16> -> <8>
  thunky.memset32 %0, 1 : <8>
  thunky.copy %low -> %high : <16>, <16>
  %c = thunky.constant "0123" {name = "digits"} -> <16>
  thunky.copy %c -> %high : <16>, <16>
  return
}

func.func private @twice(%a: !thunky.buffer<32>) {
  %0 = thunky.slice_buffer %a[0] : <32> -> <16>
  %1 = thunky.slice_buffer %a[16] : <32> -> <16>
  func.call @fill(%0, %1) : (!thunky.buffer<16>, !thunky.buffer<16>) -> ()
  func.call @fill(%1, %1) : (!thunky.buffer<16>, !thunky.buffer<16>) -> ()
  return
}

// CHECK-LABEL: func.func @main
// CHECK-NOT: call
// CHECK-DAG: %[[A:.*]] = thunky.slice_buffer %arg0[32] : <64> -> <16>
// CHECK-DAG: %[[B:.*]] = thunky.slice_buffer %arg0[48] : <64> -> <16>
// CHECK-DAG: %[[C:.*]] = thunky.slice_buffer %arg0[36] : <64> -> <8>
// CHECK-DAG: %[[D:.*]] = thunky.slice_buffer %arg0[52] : <64> -> <8>
// CHECK-DAG: thunky.memset32 %[[C]], 0x00000001 : <8>
// CHECK-DAG: thunky.copy %[[A]] -> %[[B]] : <16>, <16>
// CHECK-DAG: thunky.memset32 %[[D]], 0x00000001 : <8>
// CHECK: thunky.while
// CHECK: return
func.func @main(%a: !thunky.buffer<64>, %p: !thunky.buffer<1>) {
  %0 = thunky.slice_buffer %a[32] : <64> -> <32>
  func.call @twice(%0) : (!thunky.buffer<32>) -> ()
  thunky.while %p : <1> trip_count 2 cond { } body {
    func.call @twice(%0) : (!thunky.buffer<32>) -> ()
  }
  return
}
