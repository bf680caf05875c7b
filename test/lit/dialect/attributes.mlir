// RUN: thunky-opt %s | thunky-opt | FileCheck %s
// RUN: thunky-opt %s -emit-bytecode | thunky-opt | FileCheck %s

// CHECK: module @m attributes {thunky.compute_capability = "9.0a", thunky.version = 1 : i64}
module @m attributes {thunky.version = 1, thunky.compute_capability = "9.0a"} {
  // CHECK: func.func @main(
  // CHECK-SAME: %arg0: !thunky.buffer<64> {thunky.alias = "must", thunky.layout = array<i64: 0, 1>, thunky.name = "x", thunky.parameter = 0 : i64, thunky.results = [array<i64: 0>, array<i64: 1, 2>], thunky.type = tensor<4x4xf32>}
  // CHECK-SAME: %arg1: !thunky.buffer<4> {thunky.passthrough, thunky.results = [array<i64>]}
  // CHECK-SAME: %arg2: !thunky.buffer<4> {thunky.scratch}
  func.func @main(
      %a: !thunky.buffer<64> {thunky.name = "x", thunky.parameter = 0, thunky.alias = "must",
                              thunky.results = [array<i64: 0>, array<i64: 1, 2>],
                              thunky.type = tensor<4x4xf32>,
                              thunky.layout = array<i64: 0, 1>},
      %b: !thunky.buffer<4> {thunky.results = [array<i64>], thunky.passthrough},
      %c: !thunky.buffer<4> {thunky.scratch}) {
    // CHECK: {thunky.annotation = "clear", thunky.region = 2 : i64}
    thunky.memzero %a {thunky.annotation = "clear", thunky.region = 2} : <64>
    // CHECK: {thunky.residual = "
    thunky.memzero %a {thunky.residual = "thunk_info { }"} : <64>
    return
  }
}
