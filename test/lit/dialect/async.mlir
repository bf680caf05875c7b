// RUN: thunky-opt %s | thunky-opt | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // CHECK: %[[FIRST:.*]] = thunky.async_start stream 0 {
  // CHECK: %[[SECOND:.*]] = thunky.async_start stream 0 communication {
  // CHECK: thunky.async_done %[[SECOND]]
  // CHECK: thunky.async_done %[[FIRST]]
  %0 = thunky.async_start stream 0 { thunky.memzero %a : <64> }
  %1 = thunky.async_start stream 0 communication { }
  thunky.async_done %1
  thunky.async_done %0
  // Joined by other asynchronous work in the same list.
  // CHECK: %[[INNER:.*]] = thunky.async_start stream 9223372036854775807 {
  // CHECK: %[[OUTER:.*]] = thunky.async_start stream 1 {
  // CHECK-NEXT: thunky.async_done %[[INNER]]
  // CHECK: thunky.async_done %[[OUTER]]
  %2 = thunky.async_start stream 9223372036854775807 { }
  %3 = thunky.async_start stream 1 { thunky.async_done %2 }
  thunky.async_done %3
  return
}

// Started and joined within each iteration.
// CHECK-LABEL: func.func private @loop
func.func private @loop(%p: !thunky.buffer<1>) {
  thunky.while %p : <1> trip_count 2 cond { } body {
    // CHECK: %[[TOKEN:.*]] = thunky.async_start stream 0 {
    // CHECK: thunky.async_done %[[TOKEN]]
    %0 = thunky.async_start stream 0 { }
    thunky.async_done %0
  }
  return
}
