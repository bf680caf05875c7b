// RUN: thunky-opt %s -split-input-file -verify-diagnostics -thunky-check-hazards

func.func @main(%a: !thunky.buffer<64> {thunky.name = "a"}, %b: !thunky.buffer<64>) {
  %0 = thunky.async_start stream 1 {
    %1 = thunky.slice_buffer %a[16] : <64> -> <32>
    // expected-error-re@+1 {{race: memzero at {{.*}} (dest_buffer, write_all) and copy at {{.*}} (source_buffer, read) use bytes [16, 48) of 'a', and nothing orders them}}
    thunky.memzero %1 : <32>
  }
  // expected-note@+1 {{the other place}}
  thunky.copy %a -> %b : <64>, <64>
  thunky.async_done %0
  return
}

// -----

// expected-note@+1 {{the buffer}}
func.func @main(%a: !thunky.buffer<64>, %s: !thunky.buffer<64> {thunky.scratch}) {
  // expected-error-re@+1 {{uninitialized read: copy at {{.*}} (source_buffer, read) reads bytes [0, 64) of scratch argument 1, which nothing wrote before}}
  thunky.copy %s -> %a : <64>, <64>
  return
}

// -----

// In a function that is called: where the work is, not where the call is.
func.func private @read(%from: !thunky.buffer<64>, %to: !thunky.buffer<64>) {
  // expected-error-re@+1 {{uninitialized read: copy at {{.*}}, called at {{.*}} (source_buffer, read) reads bytes [0, 64) of scratch argument 1}}
  thunky.copy %from -> %to : <64>, <64>
  return
}
// expected-note@+1 {{the buffer}}
func.func @main(%a: !thunky.buffer<64>, %s: !thunky.buffer<64> {thunky.scratch}) {
  func.call @read(%s, %a) : (!thunky.buffer<64>, !thunky.buffer<64>) -> ()
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %i: !thunky.buffer<4>) {
  thunky.cond %i : <4> {
    // expected-error-re@+1 {{possible deadlock: collectives in different orders, if devices take different branches of cond at {{.*}}: where branch 0 issues all_reduce at {{.*}}, branch 1 issues all_gather at }}
    thunky.all_reduce sum (%a : <64>) -> (%a : <64>) mode cross_replica {element_type = f32}
    thunky.all_gather (%b : <64>) -> (%b : <64>) mode cross_replica {element_type = f32, replica_groups = [[0]]}
  }, {
    // expected-note@+1 {{the other place}}
    thunky.all_gather (%b : <64>) -> (%b : <64>) mode cross_replica {element_type = f32, replica_groups = [[0]]}
    thunky.all_reduce sum (%a : <64>) -> (%a : <64>) mode cross_replica {element_type = f32}
  }
  return
}

// -----

// expected-error@below {{has no public function @main with a body; a program is one}}
module {
}

// -----

// A warning does not fail the pass.
func.func @main(%a: !thunky.buffer<64>, %s: !thunky.buffer<64> {thunky.name = "tmp", thunky.scratch}) {
  // expected-warning-re@+1 {{overwritten unread: what memzero at {{.*}} (dest_buffer, write_all) writes is read by nothing; copy at {{.*}} (destination_buffer, write_all) overwrites bytes [0, 64) of scratch 'tmp'}}
  thunky.memzero %s : <64>
  // expected-note@+1 {{the other place}}
  thunky.copy %a -> %s : <64>, <64>
  return
}
