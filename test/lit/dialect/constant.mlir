// RUN: thunky-opt %s | thunky-opt | FileCheck %s
// RUN: thunky-opt %s -emit-bytecode | thunky-opt | FileCheck %s
// RUN: thunky export %s --target runtime -o %t.bin
// RUN: thunky import %t.bin | FileCheck %s --check-prefix=BYTES

// The bytes, as the executable has them: little endian, row-major, elements below a byte
// packed with the first in the lowest bits.
// CHECK-LABEL: func.func @main
func.func @main(%o: !thunky.buffer<8>) {
  // CHECK: thunky.constant "ab\00\22\0A" {name = "text"} -> <5>
  // BYTES: dense<[97, 98, 0, 34, 10]> : tensor<5xui8> {name = "text"
  %0 = thunky.constant "ab\00\22\0A" {name = "text"} -> <5>
  // CHECK: thunky.constant dense<[1, 0, 1]> : tensor<3xi2> {name = "i2"} -> <1>
  // BYTES: dense<17> : tensor<1xui8> {name = "i2"
  %1 = thunky.constant dense<[1, 0, 1]> : tensor<3xi2> {name = "i2"} -> <1>
  // BYTES: dense<[33, 243]> : tensor<2xui8> {name = "i4"
  %2 = thunky.constant dense<[1, 2, 3, -1]> : tensor<4xi4> {name = "i4"} -> <2>
  // BYTES: dense<[33, 15]> : tensor<2xui8> {name = "ui4"
  %3 = thunky.constant dense<[1, 2, 15]> : tensor<3xui4> {name = "ui4"} -> <2>
  // A bool takes a byte.
  // CHECK: thunky.constant dense<[true, false, true]> : tensor<3xi1> {name = "bool"} -> <3>
  // BYTES: dense<[1, 0, 1]> : tensor<3xui8> {name = "bool"
  %4 = thunky.constant dense<[true, false, true]> : tensor<3xi1> {name = "bool"} -> <3>
  // BYTES: dense<1> : tensor<4xui8> {name = "bools"
  %5 = thunky.constant dense<true> : tensor<4xi1> {name = "bools"} -> <4>
  // BYTES: dense<[128, 127]> : tensor<2xui8> {name = "i8"
  %6 = thunky.constant dense<[-128, 127]> : tensor<2xi8> {name = "i8"} -> <2>
  // BYTES: dense<[0, 128, 2, 1]> : tensor<4xui8> {name = "i16"
  %7 = thunky.constant dense<[-32768, 258]> : tensor<2xi16> {name = "i16"} -> <4>
  // BYTES: dense<[4, 3, 2, 1]> : tensor<4xui8> {name = "ui32"
  %8 = thunky.constant dense<16909060> : tensor<1xui32> {name = "ui32"} -> <4>
  // BYTES: dense<255> : tensor<8xui8> {name = "ui64"
  %9 = thunky.constant dense<18446744073709551615> : tensor<ui64> {name = "ui64"} -> <8>
  // CHECK: thunky.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32> {name = "matrix"} -> <16>
  // BYTES: dense<[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]> : tensor<16xui8> {name = "matrix"
  %10 = thunky.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32> {name = "matrix"} -> <16>
  // BYTES: dense<[56, 192]> : tensor<2xui8> {name = "f8e4m3fn"
  %11 = thunky.constant dense<[1.0, -2.0]> : tensor<2xf8E4M3FN> {name = "f8e4m3fn"} -> <2>
  // BYTES: dense<60> : tensor<1xui8> {name = "f8e5m2"
  %12 = thunky.constant dense<1.0> : tensor<1xf8E5M2> {name = "f8e5m2"} -> <1>
  // BYTES: dense<66> : tensor<1xui8> {name = "f4"
  %13 = thunky.constant dense<[1.0, 2.0]> : tensor<2xf4E2M1FN> {name = "f4"} -> <1>
  // BYTES: dense<[128, 63, 128, 127]> : tensor<4xui8> {name = "bf16"
  %14 = thunky.constant dense<[1.0, 0x7F80]> : tensor<2xbf16> {name = "bf16"} -> <4>
  // BYTES: dense<[0, 60]> : tensor<2xui8> {name = "f16"
  %15 = thunky.constant dense<1.0> : tensor<1xf16> {name = "f16"} -> <2>
  // A NaN keeps its payload, a zero its sign.
  // BYTES: dense<[1, 0, 160, 127, 0, 0, 0, 128]> : tensor<8xui8> {name = "f32"
  %16 = thunky.constant dense<[0x7FA00001, -0.0]> : tensor<2xf32> {name = "f32"} -> <8>
  // BYTES: dense<[0, 0, 0, 0, 0, 0, 240, 191]> : tensor<8xui8> {name = "f64"
  %17 = thunky.constant dense<-1.0> : tensor<1xf64> {name = "f64"} -> <8>
  // CHECK: thunky.constant dense<(1.000000e+00,-1.000000e+00)> : tensor<1xcomplex<f32>> {name = "c64"} -> <8>
  // BYTES: dense<[0, 0, 128, 63, 0, 0, 128, 191]> : tensor<8xui8> {name = "c64"
  %18 = thunky.constant dense<(1.0, -1.0)> : tensor<1xcomplex<f32>> {name = "c64"} -> <8>
  // BYTES: dense<[0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<16xui8> {name = "c128"
  %19 = thunky.constant dense<(1.0, 0.0)> : tensor<1xcomplex<f64>> {name = "c128"} -> <16>
  // Nothing, and less than the buffer: the rest is zeros.
  // CHECK: thunky.constant "" {name = "nothing"} -> <0>
  %20 = thunky.constant "" {name = "nothing"} -> <0>
  // CHECK: thunky.constant "x" {name = "short"} -> <8>
  // BYTES: {name = "short", {{.*}}} -> <8>
  %21 = thunky.constant "x" {name = "short"} -> <8>
  // CHECK: thunky.constant dense_resource<bytes> : tensor<3xui8> {name = "resource"} -> <3>
  // BYTES: dense<[1, 2, 255]> : tensor<3xui8> {name = "resource"
  %22 = thunky.constant dense_resource<bytes> : tensor<3xui8> {name = "resource"} -> <3>
  // Without a name of its own it gets one.
  // BYTES: dense<7> : tensor<1xui8> {name = "thunky_const_0"
  %23 = thunky.constant dense<7> : tensor<1xui8> -> <1>
  thunky.copy %16 -> %o : <8>, <8>
  return
}

{-#
  dialect_resources: {
    builtin: { bytes: "0x010000000102FF" }
  }
#-}
