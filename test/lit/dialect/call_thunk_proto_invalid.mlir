// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a payload with a slice of allocation 1; there are 1 operands}}
  thunky.call_thunk_proto "t" text "memzero_thunk { dest_buffer { slice { buffer_allocation_index: 1 size: 64 } } }" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a payload with a slice of allocation -1; there are 1 operands}}
  thunky.call_thunk_proto "t" text "memzero_thunk { dest_buffer { slice { buffer_allocation_index: -1 size: 64 } } }" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a payload with a slice of 64 bytes at offset 1 of operand 0, which has 64}}
  thunky.call_thunk_proto "t" text "memzero_thunk { dest_buffer { slice { offset: 1 size: 64 } } }" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a payload with a slice of 1 bytes at offset -1 of operand 0, which has 64}}
  thunky.call_thunk_proto "t" text "memzero_thunk { dest_buffer { slice { offset: -1 size: 1 } } }" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a payload with a slice of 9223372036854775807 bytes at offset 9223372036854775807 of operand 0, which has 64}}
  thunky.call_thunk_proto "t" text "memzero_thunk { dest_buffer { slice { offset: 9223372036854775807 size: 9223372036854775807 } } }" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[0] : <64> -> <32>
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a payload with a slice of 33 bytes at offset 0 of operand 0, which has 32}}
  thunky.call_thunk_proto "t" text "memzero_thunk { dest_buffer { slice { size: 33 } } }" (%0 : <32>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  %0 = thunky.constant "" -> <64>  // expected-note {{the constant}}
  // expected-error @+1 {{'thunky.call_thunk_proto' op dest_buffer writes a constant; constants are read only}}
  thunky.call_thunk_proto "t" text "memzero_thunk { dest_buffer { slice { size: 64 } } }" (%0 : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op thunks[0]: dest_buffer has offset 1 and size 4; both must be multiples of 4}}
  thunky.call_thunk_proto "t" text "memset32bit_value_thunk { dest_buffer { offset: 1 size: 4 } }" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a sequential thunk as its payload; there is an operation for it}}
  thunky.call_thunk_proto "t" text "sequential_thunk {}" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a conditional thunk as its payload; there is an operation for it}}
  thunky.call_thunk_proto "t" text "conditional_thunk {}" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a while thunk as its payload; there is an operation for it}}
  thunky.call_thunk_proto "t" text "while_thunk {}" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a async_start thunk as its payload; there is an operation for it}}
  thunky.call_thunk_proto "t" text "async_start_thunk {}" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a async_done thunk as its payload; there is an operation for it}}
  thunky.call_thunk_proto "t" text "async_done_thunk {}" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a collective_group thunk as its payload; there is an operation for it}}
  thunky.call_thunk_proto "t" text "collective_group_thunk {}" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a payload with thunk_info; attributes of the operation say what that would}}
  thunky.call_thunk_proto "t" text "thunk_info { profile_annotation: 'x' } memzero_thunk { dest_buffer { slice { size: 4 } } }" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{the payload is no ThunkProto: }}
  thunky.call_thunk_proto "t" text "memzero_thunk { dest_buffer { nonsense: 1 } }" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{expected text or bytes and a string}}
  thunky.call_thunk_proto "t" hex "x" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a payload that is no ThunkProto: }}
  thunky.call_thunk_proto "t" bytes "\9A\01\06\0A" (%a : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 a) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has code for 2 kernels; the payload has 1}}
  thunky.call_thunk_proto "t" text "custom_kernel_thunk { args { slice { size: 64 } } written: true custom_kernel { kernel_spec { kernel_name: 'k' arity: 1 } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 1 y: 1 z: 1 } } } }" (%a : <64>) {code = [@code, @code]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 a) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has code for 1 kernels; the payload has 0}}
  thunky.call_thunk_proto "t" text "memzero_thunk { dest_buffer { slice { size: 64 } } }" (%a : <64>) {code = [@code]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 a) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has 7 : i64 in code; symbols and unit are allowed}}
  thunky.call_thunk_proto "t" text "custom_kernel_thunk { args { slice { size: 64 } } written: true custom_kernel { kernel_spec { kernel_name: 'k' arity: 1 } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 1 y: 1 z: 1 } } } }" (%a : <64>) {code = [7]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 a) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op gives kernel 'k' the code @code, but the payload holds code for it}}
  thunky.call_thunk_proto "t" text "custom_kernel_thunk { args { slice { size: 64 } } written: true custom_kernel { kernel_spec { kernel_name: 'k' arity: 1 ptx { data: 'x' } } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 1 y: 1 z: 1 } } } }" (%a : <64>) {code = [@code]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 a) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op uses @other, which is no thunky.kernel_code of this module}}
  thunky.call_thunk_proto "t" text "custom_kernel_thunk { args { slice { size: 64 } } written: true custom_kernel { kernel_spec { kernel_name: 'k' arity: 1 } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 1 y: 1 z: 1 } } } }" (%a : <64>) {code = [@other]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 a) { ret; }\0A"}  // expected-note {{the code}}

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op launches 'j', which the PTX of @code does not have; it has k}}
  thunky.call_thunk_proto "t" text "custom_kernel_thunk { args { slice { size: 64 } } written: true custom_kernel { kernel_spec { kernel_name: 'j' arity: 1 } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 1 y: 1 z: 1 } } } }" (%a : <64>) {code = [@code]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 a, .param .u64 b) { ret; }\0A"}  // expected-note {{the code}}

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op passes 1 parameters to 'k', which takes 2 in the PTX of @code}}
  thunky.call_thunk_proto "t" text "custom_kernel_thunk { args { slice { size: 64 } } written: true custom_kernel { kernel_spec { kernel_name: 'k' arity: 1 } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 1 y: 1 z: 1 } } } }" (%a : <64>) {code = [@code]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op thunks[0]: the kernel has no code}}
  thunky.call_thunk_proto "t" text "custom_kernel_thunk { args { slice { size: 64 } } written: true custom_kernel { kernel_spec { kernel_name: 'k' arity: 1 } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 1 y: 1 z: 1 } } } }" (%a : <64>)
  return
}

// -----

// What it holds is verified too.
func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op thunks[0].dynamic_slice_fusion.embedded[0]: dest_buffer has offset 1 and size 4; both must be multiples of 4}}
  thunky.call_thunk_proto "t" text "dynamic_slice_fusion_thunk { results { result_shape { element_type: U8 dimensions: 8 } update_shape { element_type: U8 dimensions: 8 } } result_buffers { size: 8 } slice_allocations { size: 8 } embedded_thunks { thunks { memset32bit_value_thunk { dest_buffer { offset: 1 size: 4 } } } } }" (%a : <64>)
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.call_thunk_proto' op has a payload that says nothing; a thunk of some kind is needed}}
  thunky.call_thunk_proto "t" text "" (%a : <64>)
  return
}

// -----

// One of an unknown kind writes what it is given, and nothing else.
func.func @main(%a: !thunky.buffer<64>) {
  %p = thunky.slice_buffer %a[0] : <64> -> <1>
  %q = thunky.slice_buffer %a[1] : <64> -> <63>
  // expected-error @+1 {{'thunky.while' op has a condition region in which nothing writes the condition}}
  thunky.while %p : <1> cond {
    thunky.call_thunk_proto "newer" bytes "\A2\06\00" (%q : <63>)
  } body { }
  return
}
