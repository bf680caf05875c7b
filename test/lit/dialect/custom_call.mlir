// RUN: thunky-opt %s | thunky-opt | FileCheck %s
// RUN: thunky-opt %s -emit-bytecode | thunky-opt | FileCheck %s
// RUN: thunky export %s --target runtime -o %t.bin
// RUN: thunky import %t.bin | FileCheck %s --check-prefix=FILE

// Every kind of attribute, exact through text, bytecode and an executable.
// CHECK-LABEL: func.func @main
// FILE-LABEL: func.func @main
func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>, %e: !thunky.buffer<0>) {
  // Numbers without a type are i64 and f64.
  // CHECK: thunky.custom_call "ints" (%arg0 : <64>) -> (%arg1 : <16>)
  // CHECK-SAME: {backend_config = {a = 7 : i64, b = true, c = false, d = -128 : i8, e = -32768 : i16, f = -2147483648 : i32, g = -9223372036854775808 : i64, h = 255 : ui8, i = 65535 : ui16, j = 4294967295 : ui32, k = 18446744073709551615 : ui64, l = 9223372036854775807 : i64, m = 0 : ui64}
  // FILE: "ints"
  // FILE-SAME: {backend_config = {a = 7 : i64, b = true, c = false, d = -128 : i8, e = -32768 : i16, f = -2147483648 : i32, g = -9223372036854775808 : i64, h = 255 : ui8, i = 65535 : ui16, j = 4294967295 : ui32, k = 18446744073709551615 : ui64, l = 9223372036854775807 : i64, m = 0 : ui64}
  thunky.custom_call "ints"(%a : <64>) -> (%b : <16>)
      {backend_config = {a = 7, b = true, c = false, d = -128 : i8, e = -32768 : i16,
                         f = -2147483648 : i32, g = -9223372036854775808 : i64,
                         h = 255 : ui8, i = 65535 : ui16, j = 4294967295 : ui32,
                         k = 18446744073709551615 : ui64, l = 9223372036854775807 : i64,
                         m = 0 : ui64}}
  // Infinities, NaNs with their payloads, the sign of zero, the smallest number.
  // CHECK: "floats"
  // CHECK-SAME: {backend_config = {a = 1.500000e+00 : f64, b = 0x7F800000 : f32, c = 0xFF800000 : f32, d = 0x7FC00000 : f32, e = 0x7FA00001 : f32, f = -0.000000e+00 : f32, g = 1.401300e-45 : f32, h = 0x7FF0000000000000 : f64, i = 0xFFF8000000000001 : f64, j = 0x7FF4000000000001 : f64, k = 4.940660e-324 : f64, l = 1.000000e-01 : f64, m = 1.000000e-01 : f32}
  // FILE: "floats"
  // FILE-SAME: {backend_config = {a = 1.500000e+00 : f64, b = 0x7F800000 : f32, c = 0xFF800000 : f32, d = 0x7FC00000 : f32, e = 0x7FA00001 : f32, f = -0.000000e+00 : f32, g = 1.401300e-45 : f32, h = 0x7FF0000000000000 : f64, i = 0xFFF8000000000001 : f64, j = 0x7FF4000000000001 : f64, k = 4.940660e-324 : f64, l = 1.000000e-01 : f64, m = 1.000000e-01 : f32}
  thunky.custom_call "floats"(%a : <64>) -> (%b : <16>)
      {backend_config = {a = 1.5, b = 0x7F800000 : f32, c = 0xFF800000 : f32,
                         d = 0x7FC00000 : f32, e = 0x7FA00001 : f32, f = -0.0 : f32,
                         g = 0x00000001 : f32, h = 0x7FF0000000000000 : f64,
                         i = 0xFFF8000000000001 : f64, j = 0x7FF4000000000001 : f64,
                         k = 0x0000000000000001 : f64, l = 0.1, m = 0.1 : f32}}
  // Strings are bytes.
  // CHECK: "strings"
  // CHECK-SAME: {backend_config = {a = "", b = "\22quoted\22 \\ \0A\00\09end", c = "\C3\A9\E2\82\AC", d = "\FF\FE"}
  // FILE: "strings"
  // FILE-SAME: {backend_config = {a = "", b = "\22quoted\22 \\ \0A\00\09end", c = "\C3\A9\E2\82\AC", d = "\FF\FE"}
  thunky.custom_call "strings"(%a : <64>) -> (%b : <16>)
      {backend_config = {a = "", b = "\22quoted\22 \\ \n\00\tend", c = "é€", d = "\FF\FE"}}
  // Arrays, also empty ones. `array` knows no unsigned numbers: these are dense.
  // CHECK: "arrays"
  // CHECK-SAME: {backend_config = {a = array<i64>, b = array<i8: -128, 127>, c = array<i16: -32768>, d = array<i32: 1, -1>, e = array<i64: 9223372036854775807>, f = array<f32: 0x7FA00001, 0xFF800000>, g = array<f64: 1.000000e-01>, h = dense<[0, 255]> : tensor<2xui8>, i = dense<65535> : tensor<1xui16>, j = dense<[1, 4294967295]> : tensor<2xui32>, k = dense<[0, 18446744073709551615]> : tensor<2xui64>, l = dense<> : tensor<0xui64>, m = array<f32>}
  // FILE: "arrays"
  // FILE-SAME: {backend_config = {a = array<i64>, b = array<i8: -128, 127>, c = array<i16: -32768>, d = array<i32: 1, -1>, e = array<i64: 9223372036854775807>, f = array<f32: 0x7FA00001, 0xFF800000>, g = array<f64: 1.000000e-01>, h = dense<[0, 255]> : tensor<2xui8>, i = dense<65535> : tensor<1xui16>, j = dense<[1, 4294967295]> : tensor<2xui32>, k = dense<[0, 18446744073709551615]> : tensor<2xui64>, l = dense<> : tensor<0xui64>, m = array<f32>}
  thunky.custom_call "arrays"(%a : <64>) -> (%b : <16>)
      {backend_config = {a = array<i64>, b = array<i8: -128, 127>, c = array<i16: -32768>,
                         d = array<i32: 1, -1>, e = array<i64: 9223372036854775807>,
                         f = array<f32: 0x7FA00001, 0xFF800000>, g = array<f64: 0.1>,
                         h = dense<[0, 255]> : tensor<2xui8>,
                         i = dense<65535> : tensor<1xui16>,
                         j = dense<[1, 4294967295]> : tensor<2xui32>,
                         k = dense<[0, 18446744073709551615]> : tensor<2xui64>,
                         l = dense<> : tensor<0xui64>, m = array<f32>}}
  // Dense signed arrays become `array` in a file.
  // CHECK: "dense"
  // CHECK-SAME: a = dense<[1, 2]> : tensor<2xi32>, b = dense<0.000000e+00> : tensor<1000xf32>
  // FILE: "dense"
  // FILE-SAME: a = array<i32: 1, 2>, b = array<f32: 0.000000e+00, 0.000000e+00,
  thunky.custom_call "dense"(%a : <64>) -> (%b : <16>)
      {backend_config = {a = dense<[1, 2]> : tensor<2xi32>,
                         b = dense<0.0> : tensor<1000xf32>}}
  // Keys are sorted; dictionaries nest.
  // CHECK: "nested"
  // CHECK-SAME: {backend_config = {a = {}, b = {c = {d = {e = "deep", f = array<i64: 1>}}}, "with space" = 1 : i64}
  // FILE: "nested"
  // FILE-SAME: {backend_config = {a = {}, b = {c = {d = {e = "deep", f = array<i64: 1>}}}, "with space" = 1 : i64}
  thunky.custom_call "nested"(%a : <64>) -> (%b : <16>)
      {backend_config = {"with space" = 1, b = {c = {d = {f = array<i64: 1>, e = "deep"}}},
                         a = {}}}
  // Buffers of no bytes, and none.
  // CHECK: thunky.custom_call "empty" (%arg2 : <0>, %arg2 : <0>) -> (%arg2 : <0>)
  // CHECK-SAME: {operand_shapes = [tensor<0xf32>, tensor<4x0xi64>], result_shapes = [tensor<0xi1>]}
  thunky.custom_call "empty"(%e : <0>, %e : <0>) -> (%e : <0>)
      {operand_shapes = [tensor<0xf32>, tensor<4x0xi64>], result_shapes = [tensor<0xi1>]}
  // CHECK: thunky.custom_call "none" () -> ()
  thunky.custom_call "none"() -> ()
  // A bare type is a scalar. Layouts, packed elements, the programmatic launch.
  // CHECK: thunky.custom_call "shapes" (%arg0 : <64>) -> (%arg1 : <16>)
  // CHECK-SAME: {operand_layouts = [array<i64: 0, 1>], operand_shapes = [tensor<4x4xf32>], programmatic_launch, result_shapes = [complex<f64>]}
  // FILE: "shapes"
  // FILE-SAME: {operand_layouts = [array<i64: 0, 1>], operand_shapes = [tensor<4x4xf32>], programmatic_launch, result_shapes = [tensor<complex<f64>>]
  thunky.custom_call "shapes"(%a : <64>) -> (%b : <16>)
      {operand_shapes = [tensor<4x4xf32>], operand_layouts = [array<i64: 0, 1>],
       result_shapes = [complex<f64>], programmatic_launch}
  // FILE: "packed"
  // FILE-SAME: operand_shapes = [tensor<128xi4>], result_shapes = [tensor<4x4xi1>]
  thunky.custom_call "packed"(%a : <64>) -> (%b : <16>)
      {operand_shapes = [tensor<128xi4>], result_shapes = [tensor<4x4xi1>]}
  // The element types that only shapes know.
  // FILE: "types"
  // FILE-SAME: result_shapes = [tensor<16xf8E3M4>]
  thunky.custom_call "types"(%a : <64>) -> (%b : <16>)
      {operand_shapes = [tensor<128xf4E2M1FN>], result_shapes = [tensor<16xf8E3M4>]}
  return
}
