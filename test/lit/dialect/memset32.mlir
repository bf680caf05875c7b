// RUN: thunky-opt %s | thunky-opt | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<64>, %e: !thunky.buffer<0>) {
  // CHECK: thunky.memset32 %arg0, 0xffffffff : <64>
  thunky.memset32 %a, 0xffffffff : <64>
  // CHECK: thunky.memset32 %arg0, 0xffffffff : <64>
  thunky.memset32 %a, -1 : <64>
  // CHECK: thunky.memset32 %arg0, 0x80000000 : <64>
  thunky.memset32 %a, -2147483648 : <64>
  // CHECK: thunky.memset32 %arg0, 0x00000007 {element_type = f32} : <64>
  thunky.memset32 %a, 7 {element_type = f32} : <64>
  // CHECK: thunky.memset32 %arg1, 0x00000000 : <0>
  thunky.memset32 %e, 0 : <0>
  return
}
