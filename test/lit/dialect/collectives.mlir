// RUN: thunky-opt %s | thunky-opt | FileCheck %s
// RUN: thunky-opt %s -emit-bytecode | thunky-opt | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: !thunky.buffer<128>,
                %d: !thunky.buffer<128>, %e: !thunky.buffer<0>) {
  // CHECK: thunky.all_reduce sum (%arg0 : <64>) -> (%arg1 : <64>) mode flattened_id {element_type = f32, replica_groups = {{\[\[}}0, 1], [2, 3]]}
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1], [2, 3]]}
  // `product` is `prod`. Groups need not be of one size here.
  // CHECK: thunky.all_reduce prod (%arg0 : <64>) -> (%arg1 : <64>) mode cross_partition {element_type = i64, replica_groups = {{\[\[}}0], [1, 2, 3]]}
  thunky.all_reduce product (%a : <64>) -> (%b : <64>) mode cross_partition
      {element_type = i64, replica_groups = [[0], [1, 2, 3]]}
  // In place, several pairs, a type for each; absent and empty groups are one of all.
  // CHECK: thunky.all_reduce min (%arg0 : <64>, %arg2 : <128>) -> (%arg0 : <64>, %arg3 : <128>) mode cross_replica {element_type = [f32, bf16]}
  thunky.all_reduce min (%a : <64>, %c : <128>) -> (%a : <64>, %d : <128>)
      mode cross_replica {element_type = [f32, bf16]}
  // CHECK: thunky.all_reduce max (%arg4 : <0>) -> (%arg4 : <0>) mode cross_replica_and_partition {element_type = f64, replica_groups = []}
  thunky.all_reduce max (%e : <0>) -> (%e : <0>) mode cross_replica_and_partition
      {element_type = f64, replica_groups = []}
  // CHECK: thunky.all_gather (%arg0 : <64>) -> (%arg2 : <128>) mode flattened_id
  thunky.all_gather (%a : <64>) -> (%c : <128>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1], [2, 3]]}
  // CHECK: thunky.reduce_scatter sum (%arg2 : <128>) -> (%arg0 : <64>) mode flattened_id
  thunky.reduce_scatter sum (%c : <128>) -> (%a : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1], [2, 3]]}
  // CHECK: thunky.all_to_all (%arg0 : <64>) -> (%arg1 : <64>) mode flattened_id {element_type = f32, replica_groups = {{\[\[}}0, 1]]}
  thunky.all_to_all (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1]]}
  // CHECK: thunky.all_to_all (%arg2 : <128>, %arg3 : <128>) -> (%arg2 : <128>, %arg3 : <128>) mode flattened_id {element_type = f32, has_split_dimension = false, replica_groups = {{\[\[}}0, 1]]}
  thunky.all_to_all (%c : <128>, %d : <128>) -> (%c : <128>, %d : <128>)
      mode flattened_id {element_type = f32, has_split_dimension = false,
                         replica_groups = [[0, 1]]}
  // Pairs keep their order.
  // CHECK: thunky.collective_permute (%arg0 : <64>) -> (%arg1 : <64>) mode flattened_id {element_type = f32, replica_groups = {{\[\[}}0, 1, 2]], source_target_pairs = {{\[\[}}2, 0], [0, 1]]}
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = [[0, 1, 2]],
       source_target_pairs = [[2, 0], [0, 1]]}
  // CHECK: thunky.collective_permute (%arg0 : <64>) -> (%arg1 : <64>) mode cross_replica {element_type = f32, source_target_pairs = []}
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode cross_replica
      {element_type = f32, source_target_pairs = []}
  // Groups and pairs as dense and as nested integers.
  // CHECK: replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, source_target_pairs = [array<i64: 0, 1>]
  thunky.collective_permute (%a : <64>) -> (%b : <64>) mode flattened_id
      {element_type = f32, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>,
       source_target_pairs = [array<i64: 0, 1>]}
  // Views, the five collectives, and payloads that are collectives.
  // CHECK: thunky.collective_group {
  thunky.collective_group {
    %low = thunky.slice_buffer %a[0] : <64> -> <32>
    %high = thunky.slice_buffer %a[32] : <64> -> <32>
    thunky.all_reduce sum (%low : <32>) -> (%low : <32>) mode cross_replica
        {element_type = f32}
    thunky.all_reduce sum (%high : <32>) -> (%high : <32>) mode cross_replica
        {element_type = f32}
    // CHECK: thunky.call_thunk_proto "broadcast"
    thunky.call_thunk_proto "broadcast" text "collective_broadcast_thunk { collective_config { operand_element_type: U8 } buffers { element_count: 64 source_buffer { slice { size: 64 } } destination_buffer { slice { size: 64 buffer_allocation_index: 1 } } } }" (%a : <64>, %b : <64>)
  }
  // CHECK: thunky.collective_group {
  // CHECK-NEXT: }
  thunky.collective_group { }
  // The shapes of pairs.
  // CHECK: shapes = [tensor<4x4xf32>, tensor<4x4xf32>]
  thunky.all_reduce sum (%a : <64>) -> (%b : <64>) mode cross_replica
      {element_type = f32, shapes = [tensor<4x4xf32>, tensor<4x4xf32>]}
  return
}
