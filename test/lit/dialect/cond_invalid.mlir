// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%p: !thunky.buffer<1>) {
  // expected-error @+1 {{'thunky.cond' op has 3 branches; with an index of 1 byte (a bool) there must be 2}}
  thunky.cond %p : <1> { }, { }, { }
  return
}

// -----

func.func @main(%p: !thunky.buffer<1>) {
  // expected-error @+1 {{'thunky.cond' op has 1 branches; with an index of 1 byte (a bool) there must be 2}}
  thunky.cond %p : <1> { }
  return
}

// -----

func.func @main(%p: !thunky.buffer<8>) {
  // expected-error @+1 {{'thunky.cond' op branch_index_buffer has 8 bytes; 1 (a bool) or 4 (an i32) are allowed}}
  thunky.cond %p : <8> { }, { }
  return
}

// -----

func.func @main(%i: !thunky.buffer<4>) {
  // expected-error @+1 {{'thunky.cond' op has no branch; at least 1 is needed}}
  "thunky.cond"(%i) : (!thunky.buffer<4>) -> ()
  return
}

// -----

func.func @main(%i: !thunky.buffer<4>) {
  // expected-error @+1 {{'thunky.cond' op index is of type 'tensor<f32>'; 'i32' is needed}}
  thunky.cond %i : <4> { } {shapes = [f32]}
  return
}

// -----

func.func @main(%p: !thunky.buffer<1>) {
  // expected-error @+1 {{'thunky.cond' op index is of type 'tensor<1xi1>'; 'i1' is needed}}
  thunky.cond %p : <1> { }, { } {shapes = [tensor<1xi1>]}
  return
}

// -----

func.func @main(%i: !thunky.buffer<4>) {
  // expected-error @+1 {{'thunky.cond' op region should have no arguments}}
  "thunky.cond"(%i) ({
  ^bb0(%x: !thunky.buffer<4>):
    thunky.yield
  }) : (!thunky.buffer<4>) -> ()
  return
}

// -----

func.func @main(%i: !thunky.buffer<4>, %a: !thunky.buffer<4>) {
  "thunky.cond"(%i) ({
    // expected-error @+1 {{block with no terminator, has "thunky.memzero"}}
    thunky.memzero %a : <4>
  }) : (!thunky.buffer<4>) -> ()
  return
}
