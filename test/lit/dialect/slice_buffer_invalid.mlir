// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.slice_buffer' op takes 16 bytes at offset 49 of a buffer of 64; a slice must lie inside}}
  %0 = thunky.slice_buffer %a[49] : <64> -> <16>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.slice_buffer' op takes 16 bytes at offset -1 of a buffer of 64}}
  %0 = thunky.slice_buffer %a[-1] : <64> -> <16>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.slice_buffer' op takes 65 bytes at offset 0 of a buffer of 64}}
  %0 = thunky.slice_buffer %a[0] : <64> -> <65>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{takes 9223372036854775807 bytes at offset 9223372036854775807 of a buffer of 64}}
  %0 = thunky.slice_buffer %a[9223372036854775807] : <64> -> <9223372036854775807>
  return
}

// -----

// It is the parent that counts, not the buffer below it.
func.func @main(%a: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[0] : <64> -> <32>
  // expected-error @+1 {{takes 16 bytes at offset 32 of a buffer of 32}}
  %1 = thunky.slice_buffer %0[32] : <32> -> <16>
  return
}

// -----

// expected-error @+1 {{a buffer has -1 bytes; 0 or more are allowed}}
func.func @main(%a: !thunky.buffer<-1>) {
  return
}

// -----

// What uses a slice is verified before it is known that the slice comes first.
func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{operand #0 does not dominate this use}}
  thunky.memzero %0 : <16>
  // expected-note @+1 {{operand defined here}}
  %0 = thunky.slice_buffer %a[0] : <64> -> <16>
  return
}

// -----

// Also one that is a slice of itself.
func.func @main(%a: !thunky.buffer<64>) {
  thunky.memzero %0 : <64>
  // expected-error @+1 {{'thunky.slice_buffer' op is a slice of a slice, more than 256 times; at most so many are allowed}}
  %0 = thunky.slice_buffer %1[0] : <64> -> <64>
  %1 = thunky.slice_buffer %0[0] : <64> -> <64>
  return
}

// -----

// Or one without an offset.
func.func @main(%a: !thunky.buffer<64>) {
  thunky.memzero %0 : <64>
  // expected-error @+1 {{'thunky.slice_buffer' op requires attribute 'offset'}}
  %0 = "thunky.slice_buffer"(%a) : (!thunky.buffer<64>) -> !thunky.buffer<64>
  return
}

// -----

// Or one of nothing.
func.func @main(%a: !thunky.buffer<64>) {
  thunky.memzero %0 : <64>
  // expected-error @+1 {{'thunky.slice_buffer' op requires a single operand}}
  %0 = "thunky.slice_buffer"() {offset = 0 : i64} : () -> !thunky.buffer<64>
  return
}
