// RUN: thunky-opt %s | thunky-opt | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<7>, %e: !thunky.buffer<0>) {
  // Any size and offset.
  // CHECK: thunky.memzero %{{.*}} : <3>
  %0 = thunky.slice_buffer %a[1] : <7> -> <3>
  thunky.memzero %0 : <3>
  // CHECK: thunky.memzero %arg1 : <0>
  thunky.memzero %e : <0>
  // CHECK: thunky.memzero %arg0 {layouts = [array<i64: 0>], shapes = [tensor<7xi8>], thunky.annotation = "clear", thunky.region = 3 : i64} : <7>
  thunky.memzero %a {shapes = [tensor<7xi8>], layouts = [array<i64: 0>],
                     thunky.annotation = "clear", thunky.region = 3} : <7>
  return
}
