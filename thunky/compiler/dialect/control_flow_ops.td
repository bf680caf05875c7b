// Branches, loops and asynchronous work. Included by thunky_ops.td.

def Thunky_YieldOp : Thunky_Op<"yield", [Pure, Terminator]> {
  let summary = "ends a region";
  let assemblyFormat = "attr-dict";
}

// Their text is in region_assembly.cc.
class Thunky_RegionThunk<string mnemonic, list<Trait> traits = []>
    : Thunky_Thunk<mnemonic, traits # [SingleBlockImplicitTerminator<"YieldOp">]>;

def Thunky_CondOp : Thunky_RegionThunk<"cond", [NoRegionArguments]> {
  let summary = "runs one of its branches";
  let description = [{
    The index has 1 byte (a bool, with exactly 2 branches: true runs the first) or 4
    (an i32: branch number i, and the last one where i is out of range).

    ```mlir
    thunky.cond %p : <1> { ... }, { ... }
    ```
  }];
  let arguments = (ins Thunky_Buffer:$index, ShapesAttr:$shapes, LayoutsAttr:$layouts);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizeMethod = 1;
}

def Thunky_WhileOp : Thunky_RegionThunk<"while", [NoRegionArguments]> {
  let summary = "runs its body while a condition holds, or a number of times";
  let description = [{
    Without a trip count the condition region runs first and before every iteration
    and must write the condition, a bool of 1 byte. With trip count N the body runs
    exactly N times; the condition region does not run and the condition is not
    written.

    ```mlir
    thunky.while %p : <1> trip_count 5 cond { ... } body { ... }
    ```
  }];
  let arguments = (ins Thunky_Buffer:$condition, OptionalAttr<I64Attr>:$trip_count);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Thunky_AsyncStartOp : Thunky_RegionThunk<"async_start", [NoRegionArguments]> {
  let summary = "starts its body on another stream";
  let description = [{
    The body runs after everything before the operation, on the stream of this id and
    kind, beside what follows, until the `async_done` of its token. Computation and
    communication streams are counted apart.

    ```mlir
    %t = thunky.async_start stream 1 { ... }
    thunky.async_done %t
    ```
  }];
  let arguments = (ins DefaultValuedAttr<I64Attr, "0">:$stream_id,
                       DefaultValuedAttr<BoolAttr, "false">:$is_communication);
  let results = (outs Thunky_Token:$token);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Thunky_AsyncDoneOp : Thunky_Thunk<"async_done"> {
  let summary = "waits for work that was started";
  let arguments = (ins Thunky_Token:$token);
  let assemblyFormat = "$token attr-dict";
  let hasVerifier = 1;
}
