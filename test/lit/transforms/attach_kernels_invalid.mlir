// RUN: thunky-opt %s -split-input-file -verify-diagnostics -thunky-attach-kernels="kernels=%source/test/cubins/two_kernels.ptx folder=%S/Inputs"

// The entry says how many threads it takes.
module {
  thunky.kernel_code @code {cubin_files = {sm_90a = "../../../cubins/cuda13_sm_90a.cubin"}}
  func.func @main() {
    // expected-error @+1 {{two_kernels.ptx: kernel 'two' requires block (64,1,1) (.reqntid), the launch has (32,1,1)}}
    thunky.ptx_kernel @code "two" grid [1, 1, 1] block [32, 1, 1] ()
    return
  }
}

// -----

// And which parameters.
module {
  thunky.kernel_code @code {cubin_files = {sm_90a = "../../../cubins/cuda13_sm_90a.cubin"}}
  func.func @main() {
    // expected-error @+1 {{two_kernels.ptx: kernel 'one', parameter 1 has 4 bytes, the argument has 8}}
    thunky.ptx_kernel @code "one" grid [1, 1, 1] block [1, 1, 1] () {parameters = [unit, 1 : i64, array<i8: 1>]}
    return
  }
}

// -----

// expected-warning @+1 {{two_kernels.ptx: no kernel of the program uses this file}}
module {
  func.func @main() { return }
}

// -----

// expected-warning @+1 {{two_kernels.ptx: no kernel of the program uses this file}}
module {
  thunky.kernel_code @code {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry two() { ret; }\0A"}
  func.func @main() {
    thunky.ptx_kernel @code "two" grid [1, 1, 1] block [64, 1, 1] ()
    return
  }
}

// -----

module {
  // expected-error @+1 {{'thunky.kernel_code' op names the file '}}
  thunky.kernel_code @code {ptx_file = "missing.ptx"}
}

// -----

module {
  // expected-error @+1 {{'thunky.kernel_code' op names the file '/}}
  thunky.kernel_code @code {ptx_file = "../Inputs"}
}

// -----

module {
  // expected-error @+1 {{'thunky.kernel_code' op names the file '/}}
  thunky.kernel_code @code {ptx_file = "/dev/zero"}
}

// -----

// A file without content is no code.
module {
  // expected-error @+1 {{'thunky.kernel_code' op has empty ptx}}
  thunky.kernel_code @code {ptx_file = "blank.ptx"}
}

// -----

module {
  thunky.kernel_code @code {ptx_file = "empty.ptx"}  // expected-note {{the code}}
  func.func @main() {
    // expected-error @+1 {{'thunky.ptx_kernel' op launches 'something', which the PTX of @code does not have; it has nothing}}
    thunky.ptx_kernel @code "something" grid [1, 1, 1] block [1, 1, 1] ()
    return
  }
}

// -----

// What a cubin holds counts as well.
module {
  thunky.kernel_code @code {cubin_files = {sm_90a = "../../../cubins/cuda13_sm_90a.cubin"}}  // expected-note {{the code}}
  func.func @main() {
    // expected-error @+1 {{'thunky.ptx_kernel' op launches 'three', which the cubin for sm_90a of @code does not have; it has one, two}}
    thunky.ptx_kernel @code "three" grid [1, 1, 1] block [1, 1, 1] ()
    return
  }
}

// -----

module {
  thunky.kernel_code @code {cubin_files = {sm_90a = "../../../cubins/cuda13_sm_90a.cubin"}}  // expected-note {{the code}}
  func.func @main() {
    // expected-error @+1 {{'thunky.ptx_kernel' op passes 2 parameters to 'one', which takes 3 in the cubin for sm_90a of @code}}
    thunky.ptx_kernel @code "one" grid [1, 1, 1] block [1, 1, 1] () {parameters = [unit, unit]}
    return
  }
}

// -----

module {
  thunky.kernel_code @code {cubin_files = {sm_90a = "empty.ptx"}}  // expected-note {{the code}}
  func.func @main() {
    // expected-error @+1 {{'thunky.ptx_kernel' op uses @code, whose cubin for sm_90a cannot be read: }}
    thunky.ptx_kernel @code "one" grid [1, 1, 1] block [1, 1, 1] () {parameters = [unit, unit]}
    return
  }
}
