// RUN: thunky-opt %s -inline -split-input-file -verify-diagnostics

// What a function does with what it is given is seen once it is inlined.
func.func private @clear(%x: !thunky.buffer<4>) {
  // expected-error @+1 {{'thunky.memzero' op dest_buffer writes a constant; constants are read only}}
  thunky.memzero %x : <4>
  return
}
func.func @main() {
  %0 = thunky.constant "0123" -> <4>  // expected-note {{the constant}}
  func.call @clear(%0) : (!thunky.buffer<4>) -> ()
  return
}

// -----

func.func private @move(%x: !thunky.buffer<8>, %y: !thunky.buffer<8>) {
  // expected-error @+1 {{overlap in part}}
  thunky.copy %x -> %y : <8>, <8>
  return
}
func.func @main(%a: !thunky.buffer<16>) {
  %0 = thunky.slice_buffer %a[0] : <16> -> <8>
  %1 = thunky.slice_buffer %a[4] : <16> -> <8>
  func.call @move(%0, %1) : (!thunky.buffer<8>, !thunky.buffer<8>) -> ()
  return
}

// -----

// Alignment counts from the root.
func.func private @fill(%x: !thunky.buffer<8>) {
  // expected-error @+1 {{dest_buffer has offset 2 and size 8; both must be multiples of 4}}
  thunky.memset32 %x, 0 : <8>
  return
}
func.func @main(%a: !thunky.buffer<16>) {
  %0 = thunky.slice_buffer %a[2] : <16> -> <8>
  func.call @fill(%0) : (!thunky.buffer<8>) -> ()
  return
}
