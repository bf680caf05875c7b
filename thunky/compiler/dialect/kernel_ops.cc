// Kernels and their code.
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/SymbolTable.h"
#include "thunky/compiler/dialect/kernel_parameters.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/dialect/verify_kernel_use.h"

namespace thunky::compiler {
namespace {

template <typename List>
void resize(List& list, size_t size) {
  while (static_cast<size_t>(list.size()) > size) list.RemoveLast();
  while (static_cast<size_t>(list.size()) < size) list.Add();
}

llvm::LogicalResult checkDimensions(mlir::Operation* op, llvm::StringRef name,
                                    llvm::ArrayRef<int64_t> dimensions) {
  if (dimensions.size() == 3) return mlir::success();
  return op->emitOpError(name) << " has " << dimensions.size()
                               << " dimensions; x, y and z are needed";
}

void setDimensions(llvm::ArrayRef<int64_t> dimensions, wire::Dim3DProto& proto) {
  proto.set_x(dimensions[0]);
  proto.set_y(dimensions[1]);
  proto.set_z(dimensions[2]);
}

wire::AccessModeProto modeOf(Access access) {
  switch (access) {
    case Access::Read:
      return wire::ACCESS_MODE_READ;
    case Access::Write:
      return wire::ACCESS_MODE_WRITE;
    case Access::ReadWrite:
      return wire::ACCESS_MODE_READ_WRITE;
    case Access::WriteAll:
      return wire::ACCESS_MODE_WRITE_ALL;
  }
  return wire::ACCESS_MODE_UNSPECIFIED;
}

// Content is a string or bytes; a resource whose bytes are gone was printed with large
// blobs left out.
llvm::LogicalResult checkContent(KernelCodeOp op, llvm::StringRef what,
                                 mlir::Attribute content) {
  const std::optional<llvm::StringRef> bytes = bytesOf(content);
  if (!bytes.has_value()) {
    if (llvm::isa<mlir::DenseResourceElementsAttr>(content)) {
      return op.emitOpError("has no bytes for ")
             << what << ": " << content << " is not in the file, which was written "
             << "with large blobs left out, or its type is not tensor<Nxui8>";
    }
    return op.emitOpError("has ")
           << content << " for " << what << "; a string or a resource of bytes is needed";
  }
  if (!bytes->empty()) return mlir::success();
  return op.emitOpError("has empty ") << what;
}

}  // namespace

llvm::LogicalResult KernelCodeOp::verify() {
  if (getPtx() && getPtxFile()) return emitOpError("has both ptx and ptx_file");
  const auto isEmpty = [](std::optional<mlir::DictionaryAttr> code) {
    return !code.has_value() || code->empty();
  };
  if (!getPtx() && !getPtxFile() && isEmpty(getCubins()) && isEmpty(getCubinFiles())) {
    return emitOpError("has no code: ptx, ptx_file, cubins or cubin_files is needed");
  }
  if (getPtx() && mlir::failed(checkContent(*this, "ptx", *getPtx()))) {
    return mlir::failure();
  }
  if (const std::optional<mlir::DictionaryAttr> cubins = getCubins()) {
    for (const mlir::NamedAttribute& cubin : *cubins) {
      if (mlir::failed(
              checkContent(*this, cubin.getName().getValue(), cubin.getValue()))) {
        return mlir::failure();
      }
      if (getCubinFiles() && getCubinFiles()->contains(cubin.getName())) {
        return emitOpError("has cubins and cubin_files for ") << cubin.getName();
      }
    }
  }
  const std::optional<mlir::DictionaryAttr> files = getCubinFiles();
  if (!files.has_value()) return mlir::success();
  for (const mlir::NamedAttribute& file : *files) {
    if (llvm::isa<mlir::StringAttr>(file.getValue())) continue;
    return emitOpError("has ") << file.getValue() << " in cubin_files for "
                               << file.getName() << "; the name of a file is needed";
  }
  return mlir::success();
}

int64_t PtxKernelOp::getParameterCount() {
  return static_cast<int64_t>(getParameters() ? getParameters()->size()
                                              : getBuffers().size());
}

llvm::LogicalResult PtxKernelOp::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  const size_t buffers = getBuffers().size();
  const ShapeList shapes(getShapesAttr(), getLayoutsAttr());
  if (mlir::failed(shapes.verify(*this, buffers))) return mlir::failure();
  if (getAccess().size() != buffers) {
    return emitOpError("has ") << getAccess().size() << " accesses for " << buffers
                               << " buffers; there must be one for each";
  }
  if (mlir::failed(checkDimensions(*this, "grid", getGridDim())) ||
      mlir::failed(checkDimensions(*this, "block", getBlockDim())) ||
      (getClusterDim() &&
       mlir::failed(checkDimensions(*this, "cluster", *getClusterDim())))) {
    return mlir::failure();
  }
  const bool fresh = thunk.impl_case() == wire::ThunkProto::IMPL_NOT_SET;
  wire::CustomKernelThunkProto& launch = *thunk.mutable_custom_kernel_thunk();
  resize(*launch.mutable_args(), buffers);
  launch.clear_written();
  launch.clear_thunky_access();
  for (size_t i = 0; i < buffers; ++i) {
    lowering.setShapedSlice(getBuffers()[i], shapes, i, fresh,
                            *launch.mutable_args(static_cast<int>(i)));
    const Access access = llvm::cast<AccessAttr>(getAccess()[i]).getValue();
    launch.add_written(access != Access::Read);
    launch.add_thunky_access(modeOf(access));
  }
  wire::CustomKernelProto& kernel = *launch.mutable_custom_kernel();
  setDimensions(getGridDim(), *kernel.mutable_block_dims()->mutable_coordinates());
  setDimensions(getBlockDim(), *kernel.mutable_thread_dims()->mutable_coordinates());
  if (getClusterDim()) {
    setDimensions(*getClusterDim(), *kernel.mutable_cluster_dim()->mutable_coordinates());
  }
  kernel.set_shared_memory_bytes(static_cast<int64_t>(getShmemBytes()));
  launch.set_use_pdl(getProgrammaticLaunch());
  if (const auto zeroed = getZeroedOutputs()) {
    launch.mutable_zeroed_output_buffer_indices()->Assign(zeroed->begin(), zeroed->end());
  }
  wire::KernelLoaderSpecProto& spec = *kernel.mutable_kernel_spec();
  spec.set_kernel_name(getKernelName().str());
  spec.set_arity(static_cast<int32_t>(getParameterCount()));
  if (fresh) {
    kernel.set_name(getKernelName().str());
    launch.mutable_tma_metadata();
  }
  if ((fresh || getParameters()) &&
      mlir::failed(writePacking(*this, getParametersAttr(), buffers,
                                *spec.mutable_kernel_args_packing_spec()))) {
    return mlir::failure();
  }
  return lowering.attachCode(*this, getCodeAttr(), spec);
}

namespace {

// That one piece of code holds the kernel and that it takes as many parameters.
llvm::LogicalResult checkKernel(mlir::Operation* op, llvm::StringRef kernel,
                                std::optional<int64_t> parameters, KernelCodeOp code,
                                llvm::StringRef what,
                                const KernelCodeContents& contents) {
  const auto fail = [&](const llvm::Twine& message) -> llvm::LogicalResult {
    mlir::InFlightDiagnostic diagnostic = op->emitOpError(message);
    diagnostic.attachNote(code.getLoc()) << "the code";
    return diagnostic;
  };
  if (!contents.error.empty()) {
    return fail("uses @" + code.getSymName() + ", whose " + what +
                " cannot be read: " + contents.error);
  }
  const auto found = contents.kernels.find(kernel.str());
  if (found == contents.kernels.end()) {
    llvm::SmallVector<llvm::StringRef> names;
    for (const auto& [name, count] : contents.kernels) names.push_back(name);
    const size_t shown = std::min<size_t>(names.size(), 8);
    return fail("launches '" + kernel + "', which the " + what + " of @" +
                code.getSymName() + " does not have; it has " +
                (names.empty() ? "no kernel"
                               : llvm::join(names.begin(), names.begin() + shown, ", ") +
                                     (shown < names.size() ? ", ..." : "")));
  }
  if (!parameters || !found->second || *found->second == *parameters) {
    return mlir::success();
  }
  return fail("passes " + llvm::Twine(*parameters) + " parameters to '" + kernel +
              "', which takes " + llvm::Twine(*found->second) + " in the " + what +
              " of @" + code.getSymName());
}

}  // namespace

llvm::LogicalResult verifyKernelUse(mlir::Operation* op, mlir::FlatSymbolRefAttr symbol,
                                    llvm::StringRef kernel,
                                    std::optional<int64_t> parameters,
                                    mlir::SymbolTableCollection& symbols) {
  auto code = symbols.lookupNearestSymbolFrom<KernelCodeOp>(op, symbol);
  if (!code) {
    return op->emitOpError("uses ")
           << symbol << ", which is no thunky.kernel_code of this module";
  }
  KernelCodeCache& cache =
      op->getContext()->getLoadedDialect<ThunkyDialect>()->getKernelCodeCache();
  if (code.getPtx() && mlir::failed(checkKernel(op, kernel, parameters, code, "PTX",
                                                *cache.ptx(*code.getPtx())))) {
    return mlir::failure();
  }
  const std::optional<mlir::DictionaryAttr> cubins = code.getCubins();
  if (!cubins.has_value()) return mlir::success();
  for (const mlir::NamedAttribute& cubin : *cubins) {
    const std::string what = ("cubin for " + cubin.getName().getValue()).str();
    if (mlir::failed(checkKernel(op, kernel, parameters, code, what,
                                 *cache.cubin(cubin.getValue())))) {
      return mlir::failure();
    }
  }
  return mlir::success();
}

llvm::LogicalResult PtxKernelOp::verifySymbolUses(mlir::SymbolTableCollection& symbols) {
  return verifyKernelUse(*this, getCodeAttr(), getKernelName(), getParameterCount(),
                         symbols);
}

}  // namespace thunky::compiler
