// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<32>) {
  // expected-error @+1 {{'thunky.copy' op source_buffer has 64 bytes and destination_buffer 32; a copy needs equal sizes}}
  thunky.copy %a -> %b : <64>, <32>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[0] : <64> -> <32>
  %1 = thunky.slice_buffer %a[31] : <64> -> <32>
  // expected-error @+1 {{'thunky.copy' op source_buffer (allocation 0 [0, 32), read) and destination_buffer (allocation 0 [31, 63), write_all) overlap in part}}
  thunky.copy %0 -> %1 : <32>, <32>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  %c = thunky.constant "0123" -> <64>  // expected-note {{the constant}}
  // expected-error @+1 {{'thunky.copy' op destination_buffer writes a constant; constants are read only}}
  thunky.copy %a -> %c : <64>, <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.copy' op has 1 shapes for 2 buffers; there must be one for each, or none}}
  thunky.copy %a -> %b {shapes = [tensor<16xf32>]} : <64>, <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.copy' op source_buffer has 64 bytes; its shape f32[17] takes 68}}
  thunky.copy %a -> %b {shapes = [tensor<17xf32>, tensor<16xf32>]} : <64>, <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.copy' op has shape tensor<?xf32>; a tensor of static shape and known element type is needed}}
  thunky.copy %a -> %b {shapes = [tensor<?xf32>, tensor<16xf32>]} : <64>, <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.copy' op has layouts but no shapes}}
  thunky.copy %a -> %b {layouts = [array<i64: 0>, array<i64: 0>]} : <64>, <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.copy' op has layout array<i64: 1, 1> for 'tensor<4x4xf32>'; each dimension must be there once}}
  thunky.copy %a -> %b {shapes = [tensor<4x4xf32>, tensor<16xf32>],
                        layouts = [array<i64: 1, 1>, array<i64: 0>]} : <64>, <64>
  return
}
