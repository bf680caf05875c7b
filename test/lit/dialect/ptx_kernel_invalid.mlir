// RUN: thunky-opt %s -split-input-file -verify-diagnostics

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op grid x is 0; 1 to 2147483647 are allowed}}
  thunky.ptx_kernel @code "two" grid [0, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op grid x is 2147483648; 1 to 2147483647 are allowed}}
  thunky.ptx_kernel @code "two" grid [2147483648, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op grid y is 0; 1 to 65535 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 0, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op grid y is 65536; 1 to 65535 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 65536, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op grid z is 0; 1 to 65535 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 0] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op grid z is 65536; 1 to 65535 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 65536] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op block x is 0; 1 to 1024 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [0, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op block x is 1025; 1 to 1024 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1025, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op block y is 0; 1 to 1024 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 0, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op block y is 1025; 1 to 1024 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1025, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op block z is 0; 1 to 64 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 0] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op block z is 65; 1 to 64 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 65] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op the block has 1056 threads; at most 1024 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [33, 32, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op grid has 2 dimensions; x, y and z are needed}}
  thunky.ptx_kernel @code "two" grid [1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op block has 4 dimensions; x, y and z are needed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op cluster has 1 dimensions; x, y and z are needed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] cluster [2] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op the grid (3, 1, 1) is not made of whole clusters of (2, 1, 1) blocks}}
  thunky.ptx_kernel @code "two" grid [3, 1, 1] block [1, 1, 1] cluster [2, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op the cluster has 32 blocks; at most 16 are allowed}}
  thunky.ptx_kernel @code "two" grid [32, 2, 1] block [1, 1, 1] cluster [16, 2, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op the shared memory is -1 bytes; it must not be negative}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] shmem -1 (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op uses @other, which is no thunky.kernel_code of this module}}
  thunky.ptx_kernel @other "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op uses @main, which is no thunky.kernel_code of this module}}
  thunky.ptx_kernel @main "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}  // expected-note {{the code}}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op launches 'three', which the PTX of @code does not have; it has two}}
  thunky.ptx_kernel @code "three" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}  // expected-note {{the code}}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op passes 1 parameters to 'two', which takes 2 in the PTX of @code}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}  // expected-note {{the code}}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op passes 3 parameters to 'two', which takes 2 in the PTX of @code}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
      {parameters = [0 : index, 1 : index, 4 : i32]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op has parameter 2 : index, the number of a buffer; there are 2}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
      {parameters = [0 : index, 2 : index]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op has parameter -1 : index, the number of a buffer; there are 2}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
      {parameters = [0 : index, -1 : index]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op has parameter "x"; an index (the number of a buffer), unit (a null pointer), a number of whole bytes or array<i8: ...> is needed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
      {parameters = [0 : index, "x"]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op has parameter 1 : i4; an index}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
      {parameters = [0 : index, 1 : i4]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op packed parameter 1 has 0 constant bytes; 1 to 4096 are allowed}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
      {parameters = [0 : index, array<i8>]}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op zeroed_output_buffer_indices names argument 2 of 2}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
      {zeroed_outputs = array<i64: 2>}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op zeroed_output_buffer_indices names argument 0, which is not written}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %b write : <64>)
      {zeroed_outputs = array<i64: 0>}
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'readwrite' is no access: read, write, read_write or write_all}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a readwrite : <64>, %b write : <64>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[0] : <64> -> <32>
  %1 = thunky.slice_buffer %a[16] : <64> -> <32>
  // expected-error @+1 {{'thunky.ptx_kernel' op args[0] (allocation 0 [0, 32), read) and args[1] (allocation 0 [16, 48), write) overlap in part; buffers of one thunk must be equal or apart when one is written}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%0 read : <32>, %1 write : <32>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  %0 = thunky.constant "" -> <8>  // expected-note {{the constant}}
  // expected-error @+1 {{'thunky.ptx_kernel' op args[1] writes a constant; constants are read only}}
  thunky.ptx_kernel @code "two" grid [1, 1, 1] block [1, 1, 1] (%a read : <64>, %0 write : <8>)
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op has 1 accesses for 2 buffers; there must be one for each}}
  "thunky.ptx_kernel"(%a, %b) {code = @code, kernel_name = "two", grid_dim = array<i64: 1, 1, 1>,
      block_dim = array<i64: 1, 1, 1>, access = [#thunky.access<read>]}
      : (!thunky.buffer<64>, !thunky.buffer<64>) -> ()
  return
}

// -----

thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two(.param .u64 a, .param .u64 b) { ret; }\0A"}

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
  // expected-error @+1 {{'thunky.ptx_kernel' op requires attribute 'access'}}
  "thunky.ptx_kernel"(%a, %b) {code = @code, kernel_name = "two", grid_dim = array<i64: 1, 1, 1>,
      block_dim = array<i64: 1, 1, 1>} : (!thunky.buffer<64>, !thunky.buffer<64>) -> ()
  return
}

// -----

thunky.kernel_code @bad {ptx = ".version 8.0\0A.entry k("}  // expected-note {{the code}}

func.func @main() {
  // expected-error @+1 {{'thunky.ptx_kernel' op uses @bad, whose PTX cannot be read: line 2, column 1: expected '.target', found '.entry'}}
  thunky.ptx_kernel @bad "k" grid [1, 1, 1] block [1, 1, 1] ()
  return
}

// -----

thunky.kernel_code @bad {cubins = {sm_90 = "no cubin"}}  // expected-note {{the code}}

func.func @main() {
  // expected-error @+1 {{'thunky.ptx_kernel' op uses @bad, whose cubin for sm_90 cannot be read: }}
  thunky.ptx_kernel @bad "k" grid [1, 1, 1] block [1, 1, 1] ()
  return
}
