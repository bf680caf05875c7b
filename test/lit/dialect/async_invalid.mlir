// RUN: thunky-opt %s -split-input-file -verify-diagnostics

// Joined but never started.
func.func private @main(%t: !thunky.token) {
  // expected-error @+1 {{'thunky.async_done' op joins a token that no thunky.async_start of this function gives}}
  thunky.async_done %t
  return
}

// -----

// Started but never joined.
func.func @main() {
  // expected-error @+1 {{'thunky.async_start' op has a token that is joined 0 times; exactly one thunky.async_done is needed}}
  %0 = thunky.async_start stream 0 { }
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'thunky.async_start' op has a token that is joined 2 times; exactly one thunky.async_done is needed}}
  %0 = thunky.async_start stream 0 { }
  thunky.async_done %0  // expected-note {{joined here}}
  thunky.async_done %0  // expected-note {{joined here}}
  return
}

// -----

// Started in a loop, joined outside: it is not known there.
func.func @main(%p: !thunky.buffer<1>) {
  thunky.while %p : <1> trip_count 2 cond { } body {
    %0 = thunky.async_start stream 0 { }
  }
  // expected-error @+1 {{use of undeclared SSA value name}}
  thunky.async_done %0
  return
}

// -----

// Started outside of a loop, joined in it: on no path, or more than once.
func.func @main(%p: !thunky.buffer<1>) {
  %0 = thunky.async_start stream 0 { }  // expected-note {{started here}}
  thunky.while %p : <1> trip_count 2 cond { } body {
    // expected-error @+1 {{'thunky.async_done' op joins work that was started outside of its region; the same region, or the body of asynchronous work or of a group in it, is allowed}}
    thunky.async_done %0
  }
  return
}

// -----

// Joined in one branch only.
func.func @main(%p: !thunky.buffer<1>) {
  %0 = thunky.async_start stream 0 { }  // expected-note {{started here}}
  thunky.cond %p : <1> {
    // expected-error @+1 {{'thunky.async_done' op joins work that was started outside of its region}}
    thunky.async_done %0
  }, { }
  return
}

// -----

// In a loop in asynchronous work.
func.func @main(%p: !thunky.buffer<1>) {
  %0 = thunky.async_start stream 0 { }  // expected-note {{started here}}
  %1 = thunky.async_start stream 1 {
    thunky.while %p : <1> trip_count 2 cond { } body {
      // expected-error @+1 {{'thunky.async_done' op joins work that was started outside of its region}}
      thunky.async_done %0
    }
  }
  thunky.async_done %1
  return
}

// -----

// Work cannot wait for itself.
func.func @main() {
  // expected-note @+1 {{operand defined here}}
  %0 = thunky.async_start stream 0 {
    // expected-error @+1 {{operand #0 does not dominate this use}}
    thunky.async_done %0
  }
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{operand #0 does not dominate this use}}
  thunky.async_done %0
  // expected-note @+1 {{operand defined here}}
  %0 = thunky.async_start stream 0 { }
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'thunky.async_start' op has stream -1; it must be 0 or more}}
  %0 = thunky.async_start stream -1 { }
  thunky.async_done %0
  return
}

// -----

// A token is no buffer.
func.func private @main(%t: !thunky.token) {
  // expected-error @+1 {{'thunky.memzero' op operand #0 must be a run of bytes of device memory, but got '!thunky.token'}}
  "thunky.memzero"(%t) : (!thunky.token) -> ()
  return
}
