// RUN: thunky-opt %s | thunky-opt | FileCheck %s

// CHECK: thunky.kernel_code @text {ptx = ".version 8.0"}
thunky.kernel_code @text {ptx = ".version 8.0"}
// CHECK: thunky.kernel_code @resource {ptx = dense_resource<ptx> : tensor<3xui8>}
thunky.kernel_code @resource {ptx = dense_resource<ptx> : tensor<3xui8>}
// Files are read when the module becomes an executable, and by thunky-attach-kernels.
// CHECK: thunky.kernel_code @files {cubin_files = {sm_90a = "k.cubin"}, ptx_file = "k.ptx"}
thunky.kernel_code @files {ptx_file = "k.ptx", cubin_files = {sm_90a = "k.cubin"}}
// CHECK: thunky.kernel_code @both {cubin_files = {sm_90 = "k.cubin"}, cubins = {sm_80 = "x"}, ptx = "y"}
thunky.kernel_code @both {cubins = {sm_80 = "x"}, cubin_files = {sm_90 = "k.cubin"}, ptx = "y"}

{-#
  dialect_resources: {
    builtin: { ptx: "0x010000002F2F0A" }
  }
#-}
