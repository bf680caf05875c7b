// What every thunk says about itself.
#ifndef THUNKY_COMPILER_DIALECT_THUNKY_INTERFACES
#define THUNKY_COMPILER_DIALECT_THUNKY_INTERFACES

include "mlir/IR/OpBase.td"

def Thunky_ThunkOpInterface : OpInterface<"ThunkOpInterface"> {
  let cppNamespace = "::thunky::compiler";
  let description = [{
    An operation that becomes a thunk of an executable. It states once how its thunk
    looks. What it reads and writes and whether it is well formed follow from the
    thunk, by the rules that the runtime uses too (thunky/schema/kinds.h).
  }];
  let methods = [
    InterfaceMethod<[{
        Writes what the operation models into `thunk`: the member for its kind, all
        slices and the thunks in its regions. `thunk` is empty, or it holds what an
        executable said beyond that (the residual), which stays. Fails with a
        diagnostic when the operation cannot be said as a thunk.
      }],
      "::llvm::LogicalResult", "lower",
      (ins "::thunky::compiler::ThunkLowering &":$lowering,
           "::thunky::wire::ThunkProto &":$thunk)>,
    InterfaceMethod<[{
        Appends the byte ranges of root buffers that the operation itself reads and
        writes, not those of the operations in its regions. The operation must have
        passed verification.
      }],
      "void", "getAccesses",
      (ins "::llvm::SmallVectorImpl<::thunky::compiler::BufferAccess> &":$accesses),
      [{}], [{
        ::thunky::compiler::accessesOf($_op.getOperation(), accesses);
      }]>,
  ];
  let verify = [{
    return ::thunky::compiler::verifyThunk($_op);
  }];
}

#endif
