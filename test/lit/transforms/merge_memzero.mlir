// RUN: thunky-opt %s -canonicalize -split-input-file | FileCheck %s

// Three that touch, in any order, are one; it is the buffer where that is all of it.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: thunky.memzero %arg0 : <64>
// CHECK-NEXT: return
func.func @whole(%a: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[16] : <64> -> <16>
  thunky.memzero %0 : <16>
  %1 = thunky.slice_buffer %a[0] : <64> -> <16>
  thunky.memzero %1 : <16>
  %2 = thunky.slice_buffer %a[32] : <64> -> <32>
  thunky.memzero %2 : <32>
  return
}

// -----

// CHECK-LABEL: func.func @part
// CHECK-NEXT: %[[BOTH:.*]] = thunky.slice_buffer %arg0[3] : <64> -> <7>
// CHECK-NEXT: thunky.memzero %[[BOTH]] {thunky.annotation = "first"} : <7>
// CHECK-NEXT: return
func.func @part(%a: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[3] : <64> -> <2>
  %1 = thunky.slice_buffer %a[5] : <64> -> <5>
  thunky.memzero %0 {thunky.annotation = "first"} : <2>
  thunky.memzero %1 {thunky.annotation = "second"} : <5>
  return
}

// -----

// A gap, other buffers.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-3: thunky.memzero
func.func @apart(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  %0 = thunky.slice_buffer %a[0] : <64> -> <16>
  %1 = thunky.slice_buffer %a[17] : <64> -> <16>
  thunky.memzero %0 : <16>
  thunky.memzero %1 : <16>
  thunky.memzero %b : <16>
  return
}

// -----

// Work in between may read or write what either clears.
// CHECK-LABEL: func.func @between
// CHECK: thunky.memzero
// CHECK-NEXT: thunky.copy
// CHECK-NEXT: thunky.memzero
func.func @between(%a: !thunky.buffer<64>, %b: !thunky.buffer<32>) {
  %0 = thunky.slice_buffer %a[0] : <64> -> <32>
  %1 = thunky.slice_buffer %a[32] : <64> -> <32>
  thunky.memzero %0 : <32>
  thunky.copy %1 -> %b : <32>, <32>
  thunky.memzero %1 : <32>
  return
}

// -----

// One in a branch is not always done.
// CHECK-LABEL: func.func @branch
// CHECK-COUNT-2: thunky.memzero
func.func @branch(%a: !thunky.buffer<64>, %p: !thunky.buffer<1>) {
  %0 = thunky.slice_buffer %a[0] : <64> -> <32>
  %1 = thunky.slice_buffer %a[32] : <64> -> <32>
  thunky.memzero %0 : <32>
  thunky.cond %p : <1> { thunky.memzero %1 : <32> }, { }
  return
}

// -----

// One thunk cannot be in two regions of concurrent work, nor keep two residuals.
// CHECK-LABEL: func.func @regions
// CHECK: thunky.memzero {{.*}} {thunky.region = 1 : i64}
// CHECK-NEXT: thunky.memzero {{.*}} {thunky.region = 2 : i64}
// CHECK: %[[BOTH:.*]] = thunky.slice_buffer %arg1[4] : <64> -> <8>
// CHECK-NEXT: thunky.memzero %[[BOTH]] {thunky.region = 3 : i64} : <8>
func.func @regions(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[0] : <64> -> <32>
  %1 = thunky.slice_buffer %a[32] : <64> -> <32>
  thunky.memzero %0 {thunky.region = 1} : <32>
  thunky.memzero %1 {thunky.region = 2} : <32>
  %2 = thunky.slice_buffer %b[4] : <64> -> <4>
  %3 = thunky.slice_buffer %b[8] : <64> -> <4>
  thunky.memzero %2 {thunky.region = 3} : <4>
  thunky.memzero %3 {thunky.region = 3} : <4>
  return
}
