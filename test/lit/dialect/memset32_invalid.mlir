// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<63>) {
  // expected-error @+1 {{'thunky.memset32' op dest_buffer has offset 0 and size 63; both must be multiples of 4}}
  thunky.memset32 %a, 0 : <63>
  return
}

// -----

// The offset in the root counts: 2 + 2 would be well.
func.func @main(%a: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[2] : <64> -> <16>
  // expected-error @+1 {{'thunky.memset32' op dest_buffer has offset 2 and size 16; both must be multiples of 4}}
  thunky.memset32 %0, 0 : <16>
  %1 = thunky.slice_buffer %0[2] : <16> -> <8>
  thunky.memset32 %1, 0 : <8>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{does not fit 32 bits}}
  thunky.memset32 %a, 0x100000000 : <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{does not fit 32 bits}}
  thunky.memset32 %a, -2147483649 : <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{expected 32 bits, such as 0x3f800000}}
  thunky.memset32 %a, "x" : <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.memset32' op has element type 'i77', which executables have no name for}}
  thunky.memset32 %a, 0 {element_type = i77} : <64>
  return
}

// -----

func.func @main() {
  %c = thunky.constant "0123" -> <4>  // expected-note {{the constant}}
  // expected-error @+1 {{'thunky.memset32' op dest_buffer writes a constant}}
  thunky.memset32 %c, 0 : <4>
  return
}
