// Types.
#ifndef THUNKY_COMPILER_DIALECT_THUNKY_TYPES
#define THUNKY_COMPILER_DIALECT_THUNKY_TYPES

include "mlir/IR/AttrTypeBase.td"
include "thunky/compiler/dialect/thunky_base.td"

class Thunky_Type<string name, string typeMnemonic> : TypeDef<Thunky_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Thunky_Buffer : Thunky_Type<"Buffer", "buffer"> {
  let summary = "a run of bytes of device memory";
  let parameters = (ins "int64_t":$size);
  let assemblyFormat = "`<` $size `>`";
  let genVerifyDecl = 1;
}

def Thunky_Token : Thunky_Type<"Token", "token"> {
  let summary = "work that was started and is not joined yet";
}

#endif
