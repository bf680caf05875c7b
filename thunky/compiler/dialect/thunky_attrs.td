// Enumerations.
#ifndef THUNKY_COMPILER_DIALECT_THUNKY_ATTRS
#define THUNKY_COMPILER_DIALECT_THUNKY_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "thunky/compiler/dialect/thunky_base.td"

class Thunky_Enum<string name, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::thunky::compiler";
  let genSpecializedAttr = 0;
}

class Thunky_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Thunky_Dialect, info, mnemonic>;

// schema::AccessMode, with its values.
def Thunky_AccessEnum : Thunky_Enum<"Access", "what a kernel does with a buffer", [
    I32EnumAttrCase<"Read", 0, "read">,
    I32EnumAttrCase<"Write", 1, "write">,
    I32EnumAttrCase<"ReadWrite", 2, "read_write">,
    I32EnumAttrCase<"WriteAll", 3, "write_all">,
]>;
def Thunky_AccessAttr : Thunky_EnumAttr<Thunky_AccessEnum, "access"> {
  let assemblyFormat = "`<` $value `>`";
}
def Thunky_AccessArrayAttr : TypedArrayAttrBase<Thunky_AccessAttr, "one access a buffer">;

// wire::CollectiveOpGroupMode, with its values.
def Thunky_GroupModeEnum : Thunky_Enum<"GroupMode", "what the ids in replica groups count", [
    I32EnumAttrCase<"CrossReplica", 0, "cross_replica">,
    I32EnumAttrCase<"CrossPartition", 1, "cross_partition">,
    I32EnumAttrCase<"CrossReplicaAndPartition", 2, "cross_replica_and_partition">,
    I32EnumAttrCase<"FlattenedId", 3, "flattened_id">,
]>;
def Thunky_GroupModeAttr : Thunky_EnumAttr<Thunky_GroupModeEnum, "group_mode">;

// wire::ReductionKindProto, with its values.
def Thunky_ReductionEnum : Thunky_Enum<"Reduction", "how values are combined", [
    I32EnumAttrCase<"Sum", 1, "sum">,
    I32EnumAttrCase<"Prod", 2, "prod">,
    I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"Max", 4, "max">,
]>;
def Thunky_ReductionAttr : Thunky_EnumAttr<Thunky_ReductionEnum, "reduction">;

#endif
