// RUN: thunky-opt %s | thunky-opt | FileCheck %s
// RUN: thunky-opt %s -emit-bytecode | thunky-opt | FileCheck %s

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 a) { ret; }\0A"}

// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %w: !thunky.buffer<64>) {
  // Slices count the operands and lie in them.
  // CHECK: thunky.call_thunk_proto "to host" text "device_to_host_copy_thunk { copy_thunk { source_buffer { slice { offset: 32 size: 32 } } destination_buffer { slice { size: 32 buffer_allocation_index: 1 } } mem_size: 32 } }" (%arg0 : <64>, %arg1 : <64>)
  thunky.call_thunk_proto "to host" text "device_to_host_copy_thunk { copy_thunk { source_buffer { slice { size: 32 offset: 32 } } destination_buffer { slice { size: 32 buffer_allocation_index: 1 } } mem_size: 32 } }" (%a : <64>, %b : <64>)
  // The same in bytes is printed as text.
  // CHECK: thunky.call_thunk_proto "zero" text "memzero_thunk { dest_buffer { slice { size: 64 } } }" (%arg0 : <64>)
  thunky.call_thunk_proto "zero" bytes "\9A\01\06\0A\04\0A\02\10\40" (%a : <64>)
  // A kernel whose code is in the module, and one with its own.
  // CHECK: thunky.call_thunk_proto "k" text "custom_kernel_thunk {{.*}} (%arg0 : <64>) {code = [@code]}
  thunky.call_thunk_proto "k" text "custom_kernel_thunk { args { slice { size: 64 } } written: true custom_kernel { kernel_spec { kernel_name: 'k' arity: 1 } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 1 y: 1 z: 1 } } } }" (%a : <64>) {code = [@code]}
  // CHECK: thunky.call_thunk_proto "k" text "custom_kernel_thunk {{.*}}ptx { data: \22own\22 }{{.*}} {code = [unit]}
  thunky.call_thunk_proto "k" text "custom_kernel_thunk { args { slice { size: 64 } } written: true custom_kernel { kernel_spec { kernel_name: 'k' arity: 1 ptx { data: 'own' } } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 1 y: 1 z: 1 } } } }" (%a : <64>) {code = [unit]}
  // A kind that this build does not know stays as it is.
  // CHECK: thunky.call_thunk_proto "newer" bytes "\A2\06\00" (%arg0 : <64>, %{{.*}} : <4>)
  %c = thunky.constant "0123" -> <4>
  thunky.call_thunk_proto "newer" bytes "\A2\06\00" (%a : <64>, %c : <4>)
  // It may do anything with its operands: this may be a condition, that a collective.
  // CHECK: thunky.while
  %p = thunky.slice_buffer %a[0] : <64> -> <1>
  thunky.while %p : <1> cond {
    thunky.call_thunk_proto "newer" bytes "\A2\06\00" (%a : <64>)
  } body { }
  thunky.collective_group {
    thunky.call_thunk_proto "newer" bytes "\A2\06\00" (%a : <64>)
  }
  return
}
