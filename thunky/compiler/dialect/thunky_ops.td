// Operations.
#ifndef THUNKY_COMPILER_DIALECT_THUNKY_OPS
#define THUNKY_COMPILER_DIALECT_THUNKY_OPS

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "thunky/compiler/dialect/thunky_attrs.td"
include "thunky/compiler/dialect/thunky_interfaces.td"
include "thunky/compiler/dialect/thunky_types.td"

// A thunk. Verified through its interface.
class Thunky_Thunk<string mnemonic, list<Trait> traits = []>
    : Thunky_Op<mnemonic, traits # [DeclareOpInterfaceMethods<Thunky_ThunkOpInterface, ["lower"]>]>;

// Shapes of buffers as tensor types, in the order of the buffers; absent, each is
// u8[N]. `layouts` has the dimensions of each from minor to major; absent, each array
// is row-major.
defvar ShapesAttr = OptionalAttr<TypeArrayAttr>;
defvar LayoutsAttr = OptionalAttr<TypedArrayAttrBase<DenseI64ArrayAttr, "dimensions of each array, minor to major">>;

include "thunky/compiler/dialect/memory_ops.td"
include "thunky/compiler/dialect/call_ops.td"
include "thunky/compiler/dialect/control_flow_ops.td"
include "thunky/compiler/dialect/collective_ops.td"

#endif
