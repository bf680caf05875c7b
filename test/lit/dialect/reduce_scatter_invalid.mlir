// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.reduce_scatter' op buffers[0] has a source of 64 bytes and a destination of 64 bytes in groups of 2; each member gets its equal part}}
  thunky.reduce_scatter sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.reduce_scatter' op has groups of 2 and of 1 members; they must be of one size}}
  thunky.reduce_scatter sum (%c : <128>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1], [2]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'average' is no reduction: sum, prod, min or max}}
  thunky.reduce_scatter average (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  return
}
