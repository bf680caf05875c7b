// Collectives. Included by thunky_ops.td.
//
// Operands are pairs: source i goes with destination i. `element_type` is one type for
// all pairs or an array with one for each. Groups are lists of lists of ids, counted
// as the mode says (flattened_id without one); absent and empty both mean one group of
// all.

class Thunky_Collective<string mnemonic, dag attributes, string head>
    : Thunky_Thunk<mnemonic, [SameVariadicOperandSize]> {
  dag common = (ins AnyAttr:$element_type, OptionalAttr<AnyAttr>:$replica_groups,
                    DefaultValuedAttr<Thunky_GroupModeAttr, "::thunky::compiler::GroupMode::FlattenedId">:$group_mode,
                    ShapesAttr:$shapes, LayoutsAttr:$layouts,
                    Variadic<Thunky_Buffer>:$sources, Variadic<Thunky_Buffer>:$destinations);
  let arguments = !con(attributes, common);
  let assemblyFormat = head # [{
    custom<Buffers>($sources, type($sources)) `->`
    custom<Buffers>($destinations, type($destinations))
    custom<GroupModeName>($group_mode) attr-dict
  }];
}

def Thunky_AllReduceOp : Thunky_Collective<"all_reduce",
    (ins Thunky_ReductionAttr:$reduction_kind), "custom<ReductionName>($reduction_kind)"> {
  let summary = "combines the sources of a group; each member gets the result";
  let description = [{
    ```mlir
    thunky.all_reduce sum (%0 : <64>) -> (%1 : <64>)
        mode flattened_id {element_type = f32, replica_groups = [[0, 1], [2, 3]]}
    ```
  }];
}

def Thunky_AllGatherOp : Thunky_Collective<"all_gather", (ins), ""> {
  let summary = "gives each member the sources of its group, one after the other";
}

def Thunky_ReduceScatterOp : Thunky_Collective<"reduce_scatter",
    (ins Thunky_ReductionAttr:$reduction_kind), "custom<ReductionName>($reduction_kind)"> {
  let summary = "combines the sources of a group; each member gets its part";
}

def Thunky_AllToAllOp : Thunky_Collective<"all_to_all",
    (ins DefaultValuedAttr<BoolAttr, "true">:$has_split_dimension), ""> {
  let summary = "sends each member of a group its part";
  let description = [{
    With a split dimension there is one pair, whose source is cut into as many parts as
    the group has members. Without it there is one pair for each member.
  }];
}

def Thunky_CollectivePermuteOp : Thunky_Collective<"collective_permute",
    (ins AnyAttr:$source_target_pairs), ""> {
  let summary = "sends sources along pairs of devices";
  let description = [{
    A device that is no target gets zeros.
  }];
}

def Thunky_CollectiveGroupOp : Thunky_RegionThunk<"collective_group", [NoRegionArguments]> {
  let summary = "issues its collectives as one, in no order";
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}
