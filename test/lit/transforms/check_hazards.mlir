// RUN: thunky-opt %s -thunky-check-hazards 2>&1 | FileCheck %s

// What is clean stays as it is, calls too.
// CHECK-NOT: error:
// CHECK-NOT: warning:
// CHECK-LABEL: func.func private @fill
func.func private @fill(%b: !thunky.buffer<64>) {
  thunky.memzero %b : <64>
  return
}
// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<64>, %s: !thunky.buffer<64> {thunky.scratch}) {
  // CHECK: call @fill
  func.call @fill(%s) : (!thunky.buffer<64>) -> ()
  %0 = thunky.async_start stream 1 {
    thunky.copy %s -> %a : <64>, <64>
  }
  thunky.async_done %0
  return
}
