// RUN: thunky-opt %s -split-input-file -verify-diagnostics -thunky-assign-scratch | FileCheck %s
// RUN: thunky-opt %s -split-input-file -thunky-assign-scratch 2>/dev/null > %t.once
// RUN: thunky-opt %t.once -split-input-file -thunky-assign-scratch 2>/dev/null > %t.twice
// RUN: cmp %t.once %t.twice

// A chain needs two at a time. Constants stay at the start.
// CHECK-LABEL: module @chain
// expected-remark @+1 {{scratch: 3 buffers, 3072 bytes before, 2048 after}}
module @chain {
  // CHECK-NEXT: @main(%arg0: !thunky.buffer<1000>, %arg1: !thunky.buffer<2048> {thunky.scratch})
  // CHECK-NEXT: thunky.constant
  // CHECK-DAG: %[[A:.*]] = thunky.slice_buffer %arg1[0] : <2048> -> <1000>
  // CHECK-DAG: %[[B:.*]] = thunky.slice_buffer %arg1[1024] : <2048> -> <1000>
  // CHECK-DAG: %[[C:.*]] = thunky.slice_buffer %arg1[0] : <2048> -> <1000>
  // CHECK: thunky.copy %{{.*}} -> %[[A]]
  // CHECK: thunky.copy %[[A]] -> %[[B]]
  // CHECK: thunky.copy %[[B]] -> %[[C]]
  // CHECK: thunky.copy %[[C]] -> %arg0
  func.func @main(%a: !thunky.buffer<1000> {thunky.scratch}, %y: !thunky.buffer<1000>,
                  %b: !thunky.buffer<1000> {thunky.scratch}, %c: !thunky.buffer<1000> {thunky.scratch}) {
    %0 = thunky.constant "x" -> <1000>
    thunky.copy %0 -> %a : <1000>, <1000>
    thunky.copy %a -> %b : <1000>, <1000>
    thunky.copy %b -> %c : <1000>, <1000>
    thunky.copy %c -> %y : <1000>, <1000>
    return
  }
}

// -----

// Slices of a buffer become slices of what it is in; payloads keep their own offsets.
// CHECK-LABEL: module @slices
// expected-remark @+1 {{scratch: 2 buffers, 768 bytes before, 512 after}}
module @slices {
  // CHECK: thunky.slice_buffer %arg0[64] : <512> -> <32>
  // CHECK: thunky.call_thunk_proto "zero" text {{.*}} (%arg0 : <512>)
  func.func @main(%a: !thunky.buffer<256> {thunky.scratch}, %b: !thunky.buffer<512> {thunky.scratch}) {
    %0 = thunky.slice_buffer %a[64] : <256> -> <32>
    thunky.memzero %0 : <32>
    thunky.call_thunk_proto "zero" text "memzero_thunk { dest_buffer { slice { offset: 16 size: 64 } } }" (%b : <512>)
    return
  }
}

// -----

// Until it is overwritten completely the old value is needed, afterwards it is not.
// CHECK-LABEL: module @overwritten
// expected-remark @+1 {{scratch: 2 buffers, 512 bytes before, 256 after}}
module @overwritten {
  func.func @main(%y: !thunky.buffer<8>, %a: !thunky.buffer<8> {thunky.scratch}, %b: !thunky.buffer<8> {thunky.scratch}) {
    thunky.memzero %a : <8>
    thunky.copy %a -> %y : <8>, <8>
    thunky.memzero %b : <8>
    thunky.copy %b -> %y : <8>, <8>
    %0 = thunky.slice_buffer %a[0] : <8> -> <4>
    %1 = thunky.slice_buffer %a[4] : <8> -> <4>
    thunky.memzero %0 : <4>
    thunky.memset32 %1, 1 : <4>
    thunky.copy %a -> %y : <8>, <8>
    return
  }
}

// -----

// CHECK-LABEL: module @overwritten_in_part
// expected-remark @+1 {{scratch: 2 buffers, 512 bytes before, 512 after}}
module @overwritten_in_part {
  func.func @main(%y: !thunky.buffer<8>, %a: !thunky.buffer<8> {thunky.scratch}, %b: !thunky.buffer<8> {thunky.scratch}) {
    thunky.memzero %a : <8>
    thunky.memzero %b : <8>
    thunky.copy %b -> %y : <8>, <8>
    %0 = thunky.slice_buffer %a[0] : <8> -> <4>
    thunky.memzero %0 : <4>
    thunky.copy %a -> %y : <8>, <8>
    return
  }
}

// -----

// A kernel that writes may leave old bytes; one that writes everything does not.
// CHECK-LABEL: module @modes
// expected-remark @+1 {{scratch: 3 buffers, 768 bytes before, 512 after}}
module @modes {
  thunky.kernel_code @k {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 p) { ret; }\0A"}
  func.func @main(%a: !thunky.buffer<8> {thunky.scratch}, %b: !thunky.buffer<8> {thunky.scratch}, %c: !thunky.buffer<8> {thunky.scratch}) {
    thunky.memzero %a : <8>
    thunky.memzero %b : <8>
    thunky.memzero %c : <8>
    thunky.ptx_kernel @k "k" grid [1, 1, 1] block [1, 1, 1] (%a write : <8>)
    thunky.ptx_kernel @k "k" grid [1, 1, 1] block [1, 1, 1] (%b write_all : <8>)
    thunky.ptx_kernel @k "k" grid [1, 1, 1] block [1, 1, 1] (%c write_all : <8>)
    return
  }
}

// -----

// Branches exclude each other: %b is not needed where %a is.
// CHECK-LABEL: module @branches
// expected-remark @+1 {{scratch: 3 buffers, 768 bytes before, 512 after}}
module @branches {
  func.func @main(%y: !thunky.buffer<8>, %p: !thunky.buffer<1>, %a: !thunky.buffer<8> {thunky.scratch},
                  %b: !thunky.buffer<8> {thunky.scratch}, %c: !thunky.buffer<8> {thunky.scratch}) {
    thunky.memzero %b : <8>
    thunky.cond %p : <1> {
      thunky.memzero %a : <8>
      thunky.memzero %c : <8>
      thunky.copy %a -> %y : <8>, <8>
      thunky.copy %c -> %y : <8>, <8>
    }, {
      thunky.copy %b -> %y : <8>, <8>
    }
    return
  }
}

// -----

// What an iteration writes before it reads it does not outlive the iteration; %c does. The
// condition is read before the body begins, and written again after it.
// CHECK-LABEL: module @loops
// expected-remark @+1 {{scratch: 4 buffers, 1024 bytes before, 512 after}}
module @loops {
  func.func @main(%y: !thunky.buffer<8>, %p: !thunky.buffer<1> {thunky.scratch}, %a: !thunky.buffer<8> {thunky.scratch},
                  %b: !thunky.buffer<8> {thunky.scratch}, %c: !thunky.buffer<8> {thunky.scratch}) {
    thunky.memzero %c : <8>
    thunky.while %p : <1> cond {
      thunky.memzero %p : <1>
    } body {
      thunky.memzero %a : <8>
      thunky.copy %a -> %y : <8>, <8>
      thunky.memzero %b : <8>
      thunky.copy %b -> %y : <8>, <8>
      thunky.copy %c -> %y : <8>, <8>
      thunky.copy %y -> %c : <8>, <8>
    }
    return
  }
}

// -----

// Work beside others may run until it is joined, if only by other work.
// CHECK-LABEL: module @async
// expected-remark @+1 {{scratch: 3 buffers, 768 bytes before, 512 after}}
module @async {
  // CHECK-DAG: %[[A:.*]] = thunky.slice_buffer %arg1[0]
  // CHECK-DAG: %[[B:.*]] = thunky.slice_buffer %arg1[256]
  // CHECK-DAG: %[[C:.*]] = thunky.slice_buffer %arg1[0]
  // CHECK: thunky.memzero %[[B]]
  // CHECK: thunky.memzero %[[C]]
  func.func @main(%y: !thunky.buffer<8>, %a: !thunky.buffer<8> {thunky.scratch}, %b: !thunky.buffer<8> {thunky.scratch},
                  %c: !thunky.buffer<8> {thunky.scratch}) {
    %0 = thunky.async_start stream 1 { thunky.memzero %a : <8> }
    %1 = thunky.async_start stream 2 { thunky.async_done %0 }
    thunky.memzero %b : <8>
    thunky.async_done %1
    thunky.memzero %c : <8>
    return
  }
}

// -----

// CHECK-LABEL: module @nothing
// CHECK-NEXT: @main(%arg0: !thunky.buffer<0> {thunky.scratch}, %arg1: !thunky.buffer<8> {thunky.scratch}, %arg2: !thunky.buffer<99> {thunky.scratch})
// expected-remark @+1 {{scratch: 1 buffer, 256 bytes before, 256 after}}
module @nothing {
  func.func @main(%a: !thunky.buffer<0> {thunky.scratch}, %b: !thunky.buffer<8> {thunky.scratch},
                  %c: !thunky.buffer<99> {thunky.scratch}) {
    thunky.memzero %a : <0>
    thunky.memzero %b : <8>
    return
  }
}
