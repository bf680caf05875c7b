// Passes of thunky modules.
#ifndef THUNKY_COMPILER_TRANSFORMS_PASSES
#define THUNKY_COMPILER_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def AttachKernelsPass : Pass<"thunky-attach-kernels", "::mlir::ModuleOp"> {
  let summary = "give kernels the PTX and the files that belong to them";
  let description = [{
    Reads the files that `thunky.kernel_code` operations name, relative to `folder`,
    and PTX files, by the names of their entries, for kernels that have no PTX of their
    own. What kernels need then stands in the module itself.
  }];
  let options = [
    ListOption<"kernels", "kernels", "std::string",
               "PTX files, or folders with *.ptx files">,
    Option<"folder", "folder", "std::string", "\"\"",
           "the folder that names in the module are relative to">,
  ];
}

def CheckHazardsPass : Pass<"thunky-check-hazards", "::mlir::ModuleOp"> {
  let summary = "report races, reads of scratch that nobody wrote, and the like";
  let description = [{
    Looks at what `@main` reads and writes, once its calls are inlined; the module stays
    as it is. Races, reads of scratch that nothing wrote on some path, and collectives
    that branches issue in different orders are errors, and the pass fails then. Writes
    that are overwritten unread, and collectives that a branch lacks, are warnings.
    docs/hazards.md has the rules.
  }];
}

def AssignScratchPass : Pass<"thunky-assign-scratch", "::mlir::ModuleOp"> {
  let summary = "let scratch buffers that are never needed at once share memory";
  let description = [{
    One scratch argument takes the place of all those of `@main`; each becomes a part of
    it, at a multiple of 256 bytes. Two parts overlap where no access of one buffer can
    come while the other one holds something that may still be needed: before the first
    access nothing is, and neither is what is overwritten completely (`write_all`, copies
    and fills) on every path before it is read. A loop leads back to its start, branches
    exclude each other, and asynchronous work may run at any time between its start and
    the point where it is known to have ended.

    Where nothing is gained the module stays as it is. A remark says how many bytes there
    were and are. Calls must be inlined before (`inline`).
  }];
}

#endif
