// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%p: !thunky.buffer<1>) {
  // expected-error @+1 {{'thunky.while' op has a condition region in which nothing writes the condition; without a trip count it must}}
  thunky.while %p : <1> cond { } body { thunky.memzero %p : <1> }
  return
}

// -----

func.func @main(%w: !thunky.buffer<4>) {
  %0 = thunky.slice_buffer %w[0] : <4> -> <1>
  %1 = thunky.slice_buffer %w[1] : <4> -> <3>
  // expected-error @+1 {{'thunky.while' op has a condition region in which nothing writes the condition}}
  thunky.while %0 : <1> cond { thunky.memzero %1 : <3> } body { }
  return
}

// -----

func.func @main(%p: !thunky.buffer<4>) {
  // expected-error @+1 {{'thunky.while' op condition_result_buffer_index has 4 bytes; it must have 1}}
  thunky.while %p : <4> trip_count 3 cond { } body { }
  return
}

// -----

func.func @main(%p: !thunky.buffer<1>) {
  // expected-error @+1 {{'thunky.while' op trip_count is -1; it must not be negative}}
  thunky.while %p : <1> trip_count -1 cond { } body { }
  return
}

// -----

func.func @main(%p: !thunky.buffer<1>) {
  thunky.while %p : <1> trip_count 1 cond { }
  // expected-error @+1 {{expected 'body'}}
  return
}

// -----

func.func @main(%p: !thunky.buffer<1>) {
  // expected-error @+1 {{'thunky.while' op expected 2 regions}}
  "thunky.while"(%p) ({ thunky.yield }) {trip_count = 1 : i64} : (!thunky.buffer<1>) -> ()
  return
}

// -----

func.func @main(%p: !thunky.buffer<1>) {
  // expected-error @+1 {{region #1 ('body') failed to verify constraint: region with 1 blocks}}
  "thunky.while"(%p) ({ thunky.yield }, { }) {trip_count = 1 : i64} : (!thunky.buffer<1>) -> ()
  return
}

// -----

// What lies in the condition region is looked at once it is known to be well formed.
func.func @main(%p: !thunky.buffer<1>) {
  thunky.while %p : <1> cond {
    // expected-error @+1 {{'thunky.memzero' op requires a single operand}}
    "thunky.memzero"() : () -> ()
  } body { }
  return
}

// -----

func.func @main() {
  %c = thunky.constant "0" -> <1>  // expected-note {{the constant}}
  thunky.while %c : <1> cond {
    // expected-error @+1 {{'thunky.memzero' op dest_buffer writes a constant}}
    thunky.memzero %c : <1>
  } body { }
  return
}
