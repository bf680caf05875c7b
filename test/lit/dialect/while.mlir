// RUN: thunky-opt %s | thunky-opt | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%p: !thunky.buffer<1>, %w: !thunky.buffer<4>) {
  // The condition region writes the condition.
  // CHECK: thunky.while %arg0 : <1> cond {
  thunky.while %p : <1> cond { thunky.memzero %p : <1> } body { }
  // Any write that touches it will do, also one in an inner region.
  // CHECK: thunky.while %{{.*}} : <1> cond {
  %0 = thunky.slice_buffer %w[2] : <4> -> <1>
  thunky.while %0 : <1> cond {
    thunky.cond %w : <4> { thunky.memzero %w : <4> }
  } body { }
  // With a trip count nothing needs to write it, not even be in a region.
  // CHECK: thunky.while %arg0 : <1> trip_count 0 cond {
  // CHECK-NEXT: } body {
  // CHECK-NEXT: }
  thunky.while %p : <1> trip_count 0 cond { } body { }
  // CHECK: thunky.while %arg0 : <1> trip_count 9223372036854775807 cond {
  thunky.while %p : <1> trip_count 9223372036854775807 cond { } body { }
  return
}

// What a function does is seen once it is inlined.
func.func private @condition(%p: !thunky.buffer<1>) {
  thunky.memzero %p : <1>
  return
}
// CHECK-LABEL: func.func private @calls
func.func private @calls(%p: !thunky.buffer<1>) {
  // CHECK: func.call @condition(%arg0)
  thunky.while %p : <1> cond {
    func.call @condition(%p) : (!thunky.buffer<1>) -> ()
  } body { }
  return
}
