// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.collective_permute' op source_target_pairs[1] has source 0 for the second time}}
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1, 2, 3]], source_target_pairs = [[0, 1], [0, 2]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.collective_permute' op source_target_pairs[1] has target 1 for the second time}}
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1, 2, 3]], source_target_pairs = [[0, 1], [2, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.collective_permute' op source_target_pairs[0] is -1 to 1; ids must not be negative}}
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode cross_replica
      {element_type = f32, source_target_pairs = [[-1, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.collective_permute' op has id 4 in source_target_pairs, which is in none of the replica_groups}}
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1, 2, 3]], source_target_pairs = [[0, 4]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.collective_permute' op has source_target_pairs [[0, 1, 2]]; a list of pairs of i64 is needed}}
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1, 2, 3]], source_target_pairs = [[0, 1, 2]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.collective_permute' op has source_target_pairs [0, 1]; a list of pairs of i64 is needed}}
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1, 2, 3]], source_target_pairs = [0, 1]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.collective_permute' op has no replica_groups; with mode flattened_id they must be given}}
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, source_target_pairs = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.collective_permute' op has groups of 2 and of 1 members; they must be of one size}}
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1], [2]], source_target_pairs = [[0, 1]]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>) {
  // expected-error @+1 {{'thunky.collective_permute' op buffers[0] has 16 elements of f32, a source of 64 bytes and a destination of 128 bytes, which do not fit together}}
  thunky.collective_permute (%a : <64>) -> (%c : <128>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1, 2, 3]], source_target_pairs = [[0, 1]]}
  return
}
