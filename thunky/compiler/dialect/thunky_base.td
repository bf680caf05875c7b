// The dialect itself.
#ifndef THUNKY_COMPILER_DIALECT_THUNKY_BASE
#define THUNKY_COMPILER_DIALECT_THUNKY_BASE

include "mlir/IR/OpBase.td"

def Thunky_Dialect : Dialect {
  let name = "thunky";
  let cppNamespace = "::thunky::compiler";
  let summary = "Programs of a GPU executor: buffers, and thunks on them";
  let description = [{
    A program is a function `@main` whose arguments are buffers. Each operation of
    its body is a thunk: work that is enqueued in order and that reads and writes
    byte ranges of buffers. Values of the dialect carry no data, so there is nothing
    to compute and nothing to return.

    Modules convert both ways to XLA's `GpuExecutableProto`.

    Attributes that any thunk may carry:

    - `thunky.annotation`, a string: the name in profiles and error messages;
    - `thunky.region`, an i64: XLA's number for work that may run concurrently;
    - `thunky.residual`, a string: what the executable said about the thunk and the
      operation does not model, a message in protobuf's text form without what the
      operation says itself. `thunky.residual_bytes` is the same in binary form,
      where the text form would lose something.
  }];
  let hasConstantMaterializer = 0;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    // Raised when text or bytecode changes its meaning; modules state theirs in the
    // attribute `thunky.version`, and a newer one than this is refused.
    static constexpr int64_t kVersion = 1;
    // What kernels a piece of code holds, remembered for the life of the context.
    KernelCodeCache& getKernelCodeCache() { return *kernelCodeCache; }

   private:
    std::shared_ptr<KernelCodeCache> kernelCodeCache;

   public:
  }];
}

class Thunky_Op<string mnemonic, list<Trait> traits = []>
    : Op<Thunky_Dialect, mnemonic, traits>;

#endif
