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

#endif
