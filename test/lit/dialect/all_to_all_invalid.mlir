// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_to_all' op has 2 buffers; with a split dimension there must be one}}
  thunky.all_to_all (%a : <64>, %c : <128>) -> (%b : <64>, %c : <128>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_to_all' op has 16 elements, which 3 members cannot share equally}}
  thunky.all_to_all (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1, 2]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_to_all' op has 1 buffers in groups of 2; without a split dimension there must be one a member}}
  thunky.all_to_all (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, has_split_dimension = false, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_to_all' op has buffers of different sizes; without a split dimension they must be equal}}
  thunky.all_to_all (%a : <64>, %c : <128>) -> (%b : <64>, %c : <128>) mode flattened_id
      {element_type = f32, has_split_dimension = false, replica_groups = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.all_to_all' op has groups of 2 and of 1 members; they must be of one size}}
  thunky.all_to_all (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1], [2]]}
  return
}
