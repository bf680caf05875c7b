// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.collective_group' op holds thunky.memzero; only slice_buffer, all_reduce, all_gather, reduce_scatter, all_to_all, collective_permute and payloads that are collectives, send or recv are allowed in a group}}
  thunky.collective_group {
    thunky.memzero %a : <64>  // expected-note {{here}}
  }
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.collective_group' op holds thunky.constant; only slice_buffer, all_reduce, all_gather, reduce_scatter, all_to_all, collective_permute and payloads that are collectives, send or recv are allowed in a group}}
  thunky.collective_group {
    %0 = thunky.constant "" -> <0>  // expected-note {{here}}
  }
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.collective_group' op holds thunky.collective_group; only slice_buffer, all_reduce, all_gather, reduce_scatter, all_to_all, collective_permute and payloads that are collectives, send or recv are allowed in a group}}
  thunky.collective_group {
    thunky.collective_group { }  // expected-note {{here}}
  }
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.collective_group' op holds thunky.call_thunk_proto; only slice_buffer, all_reduce, all_gather, reduce_scatter, all_to_all, collective_permute and payloads that are collectives, send or recv are allowed in a group}}
  thunky.collective_group {
    thunky.call_thunk_proto "a kernel" text "memzero_thunk { dest_buffer { slice { size: 64 } } }" (%a : <64>)  // expected-note {{here}}
  }
  return
}

// -----

// Not even a join: a group is one call.
func.func @main() {
  %0 = thunky.async_start stream 0 { }
  // expected-error @+1 {{'thunky.collective_group' op holds thunky.async_done; only}}
  thunky.collective_group {
    thunky.async_done %0  // expected-note {{here}}
  }
  return
}

// -----

// Members are looked at once they are known to be well formed.
func.func @main() {
  thunky.collective_group {
    // expected-error @+1 {{'thunky.call_thunk_proto' op requires attribute 'kernel_name'}}
    "thunky.call_thunk_proto"() : () -> ()
  }
  return
}
