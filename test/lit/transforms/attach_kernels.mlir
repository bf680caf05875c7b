// RUN: thunky-opt %s -thunky-attach-kernels="kernels=%source/test/cubins/two_kernels.ptx folder=%S/Inputs" -o %t.file
// RUN: FileCheck %s --input-file=%t.file
// RUN: thunky-opt %s -thunky-attach-kernels="kernels=%source/test/cubins folder=%S/Inputs" -o %t.folder
// RUN: cmp %t.file %t.folder
// RUN: thunky-opt %t.file -o %t.again
// RUN: cmp %t.file %t.again

// A kernel without PTX gets the file that has its entry, beside the cubin it has.
// CHECK: thunky.kernel_code @wanted {cubins = {sm_90a = dense_resource<wanted_sm_90a> : tensor<5464xui8>}, ptx = dense_resource<wanted_ptx> : tensor<417xui8>}
thunky.kernel_code @wanted {cubin_files = {sm_90a = "../../../cubins/cuda13_sm_90a.cubin"}}
// One with its own keeps it.
// CHECK: thunky.kernel_code @own {ptx = ".version 8.0{{.*}}"}
thunky.kernel_code @own {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two() { ret; }\0A"}
// One that names a file gets it.
// CHECK: thunky.kernel_code @named {ptx = dense_resource<named_ptx> : tensor<{{.*}}xui8>}
thunky.kernel_code @named {ptx_file = "empty.ptx"}
// Two with the same file share its text.
// CHECK: thunky.kernel_code @also_wanted {cubins = {sm_90 = dense_resource<also_wanted_sm_90> : tensor<5464xui8>}, ptx = dense_resource<wanted_ptx> : tensor<417xui8>}
thunky.kernel_code @also_wanted {cubin_files = {sm_90 = "../../../cubins/cuda13_sm_90.cubin"}}

func.func @main(%x: !thunky.buffer<64>) {
  thunky.ptx_kernel @wanted "two" grid [1, 1, 1] block [64, 1, 1] ()
  thunky.ptx_kernel @own "two" grid [1, 1, 1] block [1, 1, 1] ()
  thunky.ptx_kernel @named "nothing" grid [1, 1, 1] block [1, 1, 1] ()
  // The kernels in a payload, too.
  thunky.call_thunk_proto "k" text "custom_kernel_thunk { custom_kernel { kernel_spec { kernel_name: 'two' arity: 0 } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 64 y: 1 z: 1 } } } }" () {code = [@also_wanted]}
  return
}
