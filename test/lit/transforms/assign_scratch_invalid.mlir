// RUN: thunky-opt %s -split-input-file -verify-diagnostics -thunky-assign-scratch

module {
  func.func private @f(%a: !thunky.buffer<8>) { return }
  func.func @main(%a: !thunky.buffer<8> {thunky.scratch}) {
    // expected-error @+1 {{is no thunk, so that it cannot be seen which buffers it uses; calls must be inlined first}}
    func.call @f(%a) : (!thunky.buffer<8>) -> ()
    return
  }
}

// -----

module {
  func.func @main(%a: !thunky.buffer<8> {thunky.scratch}) {
    // expected-error @+1 {{scratch cannot share memory: the thunk 'newer' is of a kind this build does not know and may refer to any allocation by its number}}
    thunky.call_thunk_proto "newer" bytes "\A2\06\00" (%a : <8>)
    return
  }
}

// -----

module attributes {thunky.keep_allocations} {
  // expected-error @+1 {{allocations must keep the numbers of the imported program (thunky.keep_allocations)}}
  func.func @main(%a: !thunky.buffer<8> {thunky.scratch}) {
    return
  }
}

// -----

module {
  // expected-error @+1 {{scratch up to argument 7 has more than 2^63 bytes together; no device has so many}}
  func.func @main(%a: !thunky.buffer<1152921504606846975> {thunky.scratch}, %b: !thunky.buffer<1152921504606846975> {thunky.scratch}, %c: !thunky.buffer<1152921504606846975> {thunky.scratch}, %d: !thunky.buffer<1152921504606846975> {thunky.scratch}, %e: !thunky.buffer<1152921504606846975> {thunky.scratch}, %f: !thunky.buffer<1152921504606846975> {thunky.scratch}, %g: !thunky.buffer<1152921504606846975> {thunky.scratch}, %h: !thunky.buffer<1152921504606846975> {thunky.scratch}, %i: !thunky.buffer<1152921504606846975> {thunky.scratch}) {
    thunky.memzero %a : <1152921504606846975>
    thunky.memzero %b : <1152921504606846975>
    thunky.memzero %c : <1152921504606846975>
    thunky.memzero %d : <1152921504606846975>
    thunky.memzero %e : <1152921504606846975>
    thunky.memzero %f : <1152921504606846975>
    thunky.memzero %g : <1152921504606846975>
    thunky.memzero %h : <1152921504606846975>
    thunky.memzero %i : <1152921504606846975>
    return
  }
}
