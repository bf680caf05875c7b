// RUN: thunky-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<4>) {
  // CHECK: thunky.partition_id %arg0 : <4>
  thunky.partition_id %a : <4>
  // CHECK: thunky.replica_id %arg0 : <4>
  thunky.replica_id %a : <4>
  return
}

// -----

func.func @main(%a: !thunky.buffer<8>) {
  // expected-error @+1 {{'thunky.partition_id' op dest_buffer has 8 bytes; it must have 4}}
  thunky.partition_id %a : <8>
  return
}

// -----

func.func @main(%a: !thunky.buffer<3>) {
  // expected-error @+1 {{'thunky.replica_id' op dest_buffer has 3 bytes; it must have 4}}
  thunky.replica_id %a : <3>
  return
}
