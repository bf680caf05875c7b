// RUN: thunky-opt %s | thunky-opt | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %e: !thunky.buffer<0>) {
  // CHECK: thunky.copy %arg0 -> %arg1 : <64>, <64>
  thunky.copy %a -> %b : <64>, <64>
  // CHECK: thunky.copy %arg0 -> %arg1 {plain} : <64>, <64>
  thunky.copy %a -> %b {plain} : <64>, <64>
  // CHECK: thunky.copy %arg2 -> %arg2 : <0>, <0>
  thunky.copy %e -> %e : <0>, <0>
  // Equal ranges, and ranges that touch.
  // CHECK: thunky.copy %arg0 -> %arg0 : <64>, <64>
  thunky.copy %a -> %a : <64>, <64>
  %low = thunky.slice_buffer %a[0] : <64> -> <32>
  %high = thunky.slice_buffer %a[32] : <64> -> <32>
  // CHECK: thunky.copy %{{.*}} -> %{{.*}} : <32>, <32>
  thunky.copy %low -> %high : <32>, <32>
  // Only bytes count: the shapes differ.
  // CHECK: thunky.copy %arg0 -> %arg1 {layouts = [array<i64: 0, 1>, array<i64: 0>], shapes = [tensor<4x4xf32>, tensor<8xi64>]} : <64>, <64>
  thunky.copy %a -> %b {shapes = [tensor<4x4xf32>, tensor<8xi64>],
                        layouts = [array<i64: 0, 1>, array<i64: 0>]} : <64>, <64>
  return
}
