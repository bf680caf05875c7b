// Buffers, and thunks that fill and copy them. Included by thunky_ops.td.

def Thunky_SliceBufferOp : Thunky_Op<"slice_buffer", [Pure]> {
  let summary = "a part of a buffer";
  let description = [{
    A view: bytes `[offset, offset + N)` of the buffer, where N is the size of the
    result's type. Emits no thunk.

    ```mlir
    %1 = thunky.slice_buffer %0[256] : <1024> -> <64>
    ```
  }];
  let arguments = (ins Thunky_Buffer:$source, I64Attr:$offset);
  let results = (outs Thunky_Buffer:$result);
  let assemblyFormat = "$source `[` $offset `]` attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Thunky_ConstantOp : Thunky_Op<"constant", [Pure]> {
  let summary = "a buffer that holds fixed bytes";
  let description = [{
    The value is a string (its bytes) or dense elements, little endian, row-major,
    elements below a byte packed with the first in the lowest bits. A value shorter
    than the buffer is padded with zeros. Nothing may write the buffer.

    `name` is the name in the executable; without one it is `thunky_const_N`.

    ```mlir
    %0 = thunky.constant dense<[1.0, 2.0]> : tensor<2xf32> -> <8>
    ```
  }];
  let arguments = (ins AnyAttr:$value, OptionalAttr<StrAttr>:$name);
  let results = (outs Thunky_Buffer:$result);
  let assemblyFormat = "$value attr-dict `->` type($result)";
  let hasVerifier = 1;
}

def Thunky_MemzeroOp : Thunky_Thunk<"memzero"> {
  let summary = "sets every byte to zero";
  let arguments = (ins Thunky_Buffer:$destination, ShapesAttr:$shapes, LayoutsAttr:$layouts);
  let assemblyFormat = "$destination attr-dict `:` type($destination)";
  let hasCanonicalizeMethod = 1;
}

def Thunky_Memset32Op : Thunky_Thunk<"memset32"> {
  let summary = "fills a buffer with a pattern of 32 bits";
  let description = [{
    ```mlir
    thunky.memset32 %0, 0x3f800000 : <64>
    ```
  }];
  // The element type the executable states for the buffer, u32 by default.
  let arguments = (ins Thunky_Buffer:$destination, I32Attr:$value,
                       OptionalAttr<TypeAttr>:$element_type);
  let assemblyFormat =
      "$destination `,` custom<BitPattern>($value) attr-dict `:` type($destination)";
}

def Thunky_CopyOp : Thunky_Thunk<"copy"> {
  let summary = "copies a buffer to another of the same size";
  let description = [{
    `plain` marks XLA's copy thunk, which names no direction; without it the copy is
    one within a device.

    ```mlir
    thunky.copy %0 -> %1 : <64>, <64>
    ```
  }];
  let arguments = (ins Thunky_Buffer:$source, Thunky_Buffer:$destination,
                       UnitAttr:$plain, ShapesAttr:$shapes, LayoutsAttr:$layouts);
  let assemblyFormat =
      "$source `->` $destination attr-dict `:` type($source) `,` type($destination)";
  let hasCanonicalizeMethod = 1;
}

class Thunky_DeviceIdOp<string mnemonic, string id> : Thunky_Thunk<mnemonic> {
  let summary = "writes the " # id # " id, a u32, into a buffer of 4 bytes";
  let arguments = (ins Thunky_Buffer:$destination);
  let assemblyFormat = "$destination attr-dict `:` type($destination)";
}

def Thunky_PartitionIdOp : Thunky_DeviceIdOp<"partition_id", "partition">;
def Thunky_ReplicaIdOp : Thunky_DeviceIdOp<"replica_id", "replica">;
