// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'average' is no reduction: sum, prod, min or max}}
  thunky.all_reduce average (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'all' is no mode: flattened_id, cross_replica, cross_partition or cross_replica_and_partition}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode all {element_type = f32, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has no replica_groups; with mode flattened_id they must be given}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has no replica_groups; with mode flattened_id they must be given}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = []}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op replica_groups[1] has id 1, which is in a group already}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1], [1, 2]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op replica_groups[0] has id 1, which is in a group already}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[1, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op replica_groups[0] has id -1}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, -1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op replica_groups[1] has no members}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1], []]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has replica_groups [0, 1]; lists of lists of i64 are needed}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [0, 1]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has replica_groups [[0 : i32]]; lists of lists of i64 are needed}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0 : i32]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has replica_groups dense<0> : tensor<1x1xi32>; lists of lists of i64 are needed}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = dense<0> : tensor<1x1xi32>}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has replica_groups dense<[0, 1]> : tensor<2xi64>; lists of lists of i64 are needed}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = dense<[0, 1]> : tensor<2xi64>}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has no buffers; at least one pair is needed}}
  thunky.all_reduce sum () -> () mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has element_type "f32"; an element type that executables know, or an array of them, is needed}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = "f32", replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has 2 element types for 1 pairs; one for all or one for each is needed}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = [f32, f32], replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has element type s4; whole bytes are needed}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = i4, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<63>, %b: !thunky.buffer<63>) {
  // expected-error @+1 {{'thunky.all_reduce' op has a source of 63 bytes, which is no whole number of f32}}
  thunky.all_reduce sum (%a : <63>) -> (%b : <63>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op buffers[0] has 16 elements of f32, a source of 64 bytes and a destination of 128 bytes, which do not fit together}}
  thunky.all_reduce sum (%a : <64>) -> (%c : <128>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has 1 shapes for 2 buffers; there must be one for each, or none}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]], shapes = [tensor<16xf32>]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has shape 'tensor<8xf64>' for a pair of f32; each pair has one element type}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]], shapes = [tensor<16xf32>, tensor<8xf64>]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_reduce' op has a source of shape 'tensor<16xf32>' and a destination of 'tensor<4x4xf32>'; they must be equal}}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]], shapes = [tensor<16xf32>, tensor<4x4xf32>]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  %0 = thunky.slice_buffer %c[32] : <128> -> <64>
  %1 = thunky.slice_buffer %c[0] : <128> -> <64>
  // expected-error @+1 {{'thunky.all_reduce' op buffers[0].destination_buffer (allocation 0 [0, 64), write_all) and buffers[0].source_buffer (allocation 0 [32, 96), read) overlap in part}}
  thunky.all_reduce sum (%0 : <64>) -> (%1 : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  %0 = thunky.constant "0" -> <64>  // expected-note {{the constant}}
  // expected-error @+1 {{'thunky.all_reduce' op buffers[0].destination_buffer writes a constant}}
  thunky.all_reduce sum (%a : <64>) -> (%0 : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  return
}
