// RUN: thunky-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'thunky.kernel_code' op has no code: ptx, ptx_file, cubins or cubin_files is needed}}
thunky.kernel_code @k

// -----

// expected-error @+1 {{'thunky.kernel_code' op has no code: ptx, ptx_file, cubins or cubin_files is needed}}
thunky.kernel_code @k {cubins = {}}

// -----

// expected-error @+1 {{'thunky.kernel_code' op has both ptx and ptx_file}}
thunky.kernel_code @k {ptx = "x", ptx_file = "y"}

// -----

// expected-error @+1 {{'thunky.kernel_code' op has empty ptx}}
thunky.kernel_code @k {ptx = ""}

// -----

// expected-error @+1 {{'thunky.kernel_code' op has empty sm_90}}
thunky.kernel_code @k {cubins = {sm_90 = ""}}

// -----

// expected-error @+1 {{'thunky.kernel_code' op has 7 : i64 for ptx; a string or a resource of bytes is needed}}
thunky.kernel_code @k {ptx = 7}

// -----

// expected-error @+1 {{'thunky.kernel_code' op has 7 : i64 for sm_90; a string or a resource of bytes is needed}}
thunky.kernel_code @k {cubins = {sm_90 = 7}}

// -----

// expected-error @+1 {{'thunky.kernel_code' op has cubins and cubin_files for "sm_90"}}
thunky.kernel_code @k {cubins = {sm_90 = "x"}, cubin_files = {sm_90 = "y"}}

// -----

// expected-error @+1 {{'thunky.kernel_code' op has 7 : i64 in cubin_files for "sm_90"; the name of a file is needed}}
thunky.kernel_code @k {cubin_files = {sm_90 = 7}}

// -----

// expected-error @+1 {{'thunky.kernel_code' op has no bytes for ptx: dense_resource<gone> : tensor<99xui8> is not in the file, which was written with large blobs left out, or its type is not tensor<Nxui8>}}
thunky.kernel_code @k {ptx = dense_resource<gone> : tensor<99xui8>}

// -----

// expected-error @+1 {{'thunky.kernel_code' op has no bytes for sm_90: dense_resource<gone> : tensor<99xui8> is not in the file}}
thunky.kernel_code @k {cubins = {sm_90 = dense_resource<gone> : tensor<99xui8>}}
