// RUN: thunky-opt %s | thunky-opt | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%p: !thunky.buffer<1>, %i: !thunky.buffer<4>, %a: !thunky.buffer<64>) {
  // CHECK: thunky.cond %arg0 : <1> {
  // CHECK-NEXT: thunky.memzero
  // CHECK-NEXT: }, {
  // CHECK-NEXT: }
  thunky.cond %p : <1> { thunky.memzero %a : <64> }, { }
  // CHECK: thunky.cond %arg1 : <4> {
  // CHECK-NEXT: }
  thunky.cond %i : <4> { }
  // CHECK: thunky.cond %arg1 : <4> {
  // CHECK-NEXT: }, {
  // CHECK-NEXT: }, {
  // CHECK-NEXT: }
  thunky.cond %i : <4> { }, { thunky.yield }, { }
  // The index may be a part of what a branch writes.
  // CHECK: thunky.cond %{{.*}} : <4> {
  %0 = thunky.slice_buffer %a[4] : <64> -> <4>
  thunky.cond %0 : <4> { thunky.memzero %a : <64> }
  // CHECK: {shapes = [i1]}
  thunky.cond %p : <1> { }, { } {shapes = [i1]}
  return
}
