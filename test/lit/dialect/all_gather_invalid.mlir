// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_gather' op buffers[0] has 16 elements of f32, a source of 64 bytes and a destination of 64 bytes, which do not fit together}}
  thunky.all_gather (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_gather' op has groups of 2 and of 1 members; they must be of one size}}
  thunky.all_gather (%a : <64>) -> (%c : <128>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1], [2]]}
  return
}
