// RUN: thunky-opt %s -canonicalize -split-input-file | FileCheck %s

// A slice of a slice is one of the root; a slice of everything is the buffer.
// CHECK-LABEL: func.func @slices
// CHECK-NEXT: %[[SLICE:.*]] = thunky.slice_buffer %arg0[28] : <64> -> <4>
// CHECK-NEXT: thunky.memset32 %[[SLICE]], 0x00000001 : <4>
// CHECK-NEXT: thunky.memset32 %arg0, 0x00000002 : <64>
// CHECK-NEXT: return
func.func @slices(%a: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[16] : <64> -> <32>
  %1 = thunky.slice_buffer %0[8] : <32> -> <16>
  %2 = thunky.slice_buffer %1[4] : <16> -> <4>
  thunky.memset32 %2, 1 : <4>
  %3 = thunky.slice_buffer %a[0] : <64> -> <64>
  thunky.memset32 %3, 2 : <64>
  return
}

// -----

// A copy to itself does nothing, also by another name.
// CHECK-LABEL: func.func @copies
// CHECK-NEXT: return
func.func @copies(%a: !thunky.buffer<64>) {
  thunky.copy %a -> %a : <64>, <64>
  %0 = thunky.slice_buffer %a[16] : <64> -> <32>
  %1 = thunky.slice_buffer %0[16] : <32> -> <16>
  %2 = thunky.slice_buffer %a[32] : <64> -> <16>
  thunky.copy %1 -> %2 : <16>, <16>
  return
}

// -----

// Other copies stay.
// CHECK-LABEL: func.func @other_copies
// CHECK: thunky.copy %[[LOW:.*]] -> %[[HIGH:.*]] : <32>, <32>
// CHECK: thunky.copy %arg0 -> %arg1 : <64>, <64>
func.func @other_copies(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[0] : <64> -> <32>
  %1 = thunky.slice_buffer %a[32] : <64> -> <32>
  thunky.copy %0 -> %1 : <32>, <32>
  thunky.copy %a -> %b : <64>, <64>
  return
}

// -----

// Where no branch does anything, none needs to be chosen; also once views are gone.
// CHECK-LABEL: func.func @conds
// CHECK-NEXT: return
func.func @conds(%i: !thunky.buffer<4>, %a: !thunky.buffer<64>) {
  thunky.cond %i : <4> { }, {
    %0 = thunky.slice_buffer %a[0] : <64> -> <4>
    thunky.cond %0 : <4> { }
  }
  return
}

// -----

// CHECK-LABEL: func.func @other_conds
// CHECK-NEXT: thunky.cond %arg0 : <4> {
// CHECK-NEXT: }, {
// CHECK-NEXT:   thunky.memzero %arg1 : <64>
// CHECK-NEXT: }
func.func @other_conds(%i: !thunky.buffer<4>, %a: !thunky.buffer<64>) {
  thunky.cond %i : <4> { }, { thunky.memzero %a : <64> }
  return
}

// -----

// A loop stays whatever its body does: it may never end.
// CHECK-LABEL: func.func @loops
// CHECK-NEXT: thunky.while %arg0 : <1> cond {
// CHECK-NEXT:   thunky.memzero %arg0 : <1>
// CHECK-NEXT: } body {
// CHECK-NEXT: }
// CHECK-NEXT: thunky.while %arg0 : <1> trip_count 0 cond {
// CHECK-NEXT: } body {
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @loops(%p: !thunky.buffer<1>) {
  thunky.while %p : <1> cond { thunky.memzero %p : <1> } body { }
  thunky.while %p : <1> trip_count 0 cond { } body { }
  return
}

// -----

// Asynchronous work and groups stay as well.
// CHECK-LABEL: func.func @async
// CHECK: thunky.async_start
// CHECK: thunky.async_done
// CHECK: thunky.collective_group
func.func @async() {
  %0 = thunky.async_start stream 0 { }
  thunky.async_done %0
  thunky.collective_group { }
  return
}

// -----

// Constants that nothing uses go.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: return
func.func @constants() {
  %0 = thunky.constant "x" -> <1>
  return
}
