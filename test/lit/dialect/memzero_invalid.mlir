// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main() {
  %c = thunky.constant "0123" -> <4>  // expected-note {{the constant}}
  %0 = thunky.slice_buffer %c[1] : <4> -> <2>
  // expected-error @+1 {{'thunky.memzero' op dest_buffer writes a constant}}
  thunky.memzero %0 : <2>
  return
}

// -----

// Nothing of a constant is written.
func.func @main() {
  %c = thunky.constant "0123" -> <4>
  %0 = thunky.slice_buffer %c[4] : <4> -> <0>
  thunky.memzero %0 : <0>
  return
}

// -----

func.func @main(%a: !thunky.buffer<8>) {
  // expected-error @+1 {{'thunky.memzero' op dest_buffer has 8 bytes; its shape f32[3] takes 12}}
  thunky.memzero %a {shapes = [tensor<3xf32>]} : <8>
  return
}
