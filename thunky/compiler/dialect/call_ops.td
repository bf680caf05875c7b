// Kernels and calls. Included by thunky_ops.td.

def Thunky_KernelCodeOp : Thunky_Op<"kernel_code", [Symbol]> {
  let summary = "code of kernels, stored once for all that use it";
  let description = [{
    Holds PTX, or cubins by the architecture they are for, or both. Each is a string
    or a resource of bytes; or the name of a file, relative to the folder that the
    module is exported from, whose content takes its place then.

    ```mlir
    thunky.kernel_code @saxpy {ptx_file = "saxpy.ptx"}
    thunky.kernel_code @gemm {cubins = {sm_90a = dense_resource<gemm> : tensor<9000xui8>}}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<AnyAttr>:$ptx, OptionalAttr<StrAttr>:$ptx_file,
                       OptionalAttr<DictionaryAttr>:$cubins,
                       OptionalAttr<DictionaryAttr>:$cubin_files);
  let assemblyFormat = "$sym_name attr-dict";
  let hasVerifier = 1;
}

def Thunky_PtxKernelOp : Thunky_Thunk<"ptx_kernel",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "launches a kernel";
  let description = [{
    Launches the entry `kernel_name` of the code with `grid_dim` blocks of `block_dim`
    threads. Each buffer is passed as a pointer; its access says what the kernel does
    with it: `read`, `write` (some old bytes may remain or matter), `read_write`
    (certainly read too) or `write_all` (every byte is written and the old value not
    used).

    `parameters`, where given, lists what the kernel takes: an `index` is the number of
    a buffer, `unit` a null pointer, an integer or a float a value passed as its bytes,
    `array<i8: ...>` these bytes. Without it, it takes the buffers in order.

    ```mlir
    thunky.ptx_kernel @saxpy "saxpy" grid [4, 1, 1] block [256, 1, 1] shmem 128
        (%x read : <4096>, %y read_write : <4096>)
        {parameters = [0 : index, 1 : index, 2.5 : f32, 1024 : i32]}
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$code, StrAttr:$kernel_name,
                       DenseI64ArrayAttr:$grid_dim, DenseI64ArrayAttr:$block_dim,
                       DefaultValuedAttr<I64Attr, "0">:$shmem_bytes,
                       Thunky_AccessArrayAttr:$access,
                       OptionalAttr<ArrayAttr>:$parameters,
                       OptionalAttr<DenseI64ArrayAttr>:$cluster_dim,
                       UnitAttr:$programmatic_launch,
                       OptionalAttr<DenseI64ArrayAttr>:$zeroed_outputs,
                       ShapesAttr:$shapes, LayoutsAttr:$layouts,
                       Variadic<Thunky_Buffer>:$buffers);
  let assemblyFormat = [{
    $code $kernel_name
    `grid` custom<Dimensions>($grid_dim) `block` custom<Dimensions>($block_dim)
    (`cluster` custom<OptionalDimensions>($cluster_dim)^)?
    (`shmem` $shmem_bytes^)? (`pdl` $programmatic_launch^)?
    custom<KernelBuffers>($buffers, type($buffers), $access)
    attr-dict
  }];
  let extraClassDeclaration = [{
    // What the kernel takes, by `parameters` or the buffers.
    int64_t getParameterCount();
  }];
}

def Thunky_CustomCallOp : Thunky_Thunk<"custom_call"> {
  let summary = "calls a registered handler of XLA's typed FFI";
  let description = [{
    `backend_config` has the attributes that the handler reads: bool, i8 to i64, u8 to
    u64 (`ui8` to `ui64`), f32, f64, strings, one-dimensional arrays of those numbers
    (`array<i64: ...>`, or `dense<...>` for unsigned ones) and dictionaries. A bare
    type among the shapes is a scalar.

    ```mlir
    thunky.custom_call "gemv"(%a : <64>) -> (%b : <16>)
        {backend_config = {alpha = 2.0 : f32}, operand_shapes = [tensor<4x4xf32>],
         result_shapes = [tensor<4xf32>]}
    ```
  }];
  let arguments = (ins StrAttr:$target_name, I64Attr:$num_operands, I64Attr:$num_results,
                       DefaultValuedAttr<DictionaryAttr, "{}">:$backend_config,
                       ShapesAttr:$operand_shapes, ShapesAttr:$result_shapes,
                       LayoutsAttr:$operand_layouts, LayoutsAttr:$result_layouts,
                       UnitAttr:$programmatic_launch, UnitAttr:$empty_state,
                       Variadic<Thunky_Buffer>:$buffers);
  let assemblyFormat = [{
    $target_name
    custom<CallBuffers>($buffers, type($buffers), $num_operands, $num_results)
    attr-dict
  }];
}

def Thunky_CallThunkProtoOp : Thunky_Thunk<"call_thunk_proto",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a thunk for which there is no operation";
  let description = [{
    The payload is a `ThunkProto` whose slices count the operands: allocation i is
    operand i. What it reads and writes is what its own fields say. `code` has an entry
    for each kernel in the payload, in order: the symbol whose code it uses, or `unit`
    for one that keeps its own payload.

    A payload of a kind that this build does not know is kept as it is. Nobody can see
    its slices, so it may read and write every operand, and its operands must be the
    program's allocations, whole and in the order of their numbers.

    The payload is written as protobuf text where that says it all, else as bytes.
  }];
  let arguments = (ins StrAttr:$kernel_name, StrAttr:$thunk_proto,
                       OptionalAttr<ArrayAttr>:$code,
                       Variadic<Thunky_Buffer>:$buffers);
  let assemblyFormat = [{
    $kernel_name custom<Payload>($thunk_proto)
    custom<Buffers>($buffers, type($buffers)) attr-dict
  }];
}
