#include "thunky/compiler/dialect/kernel_code_cache.h"

#include <string_view>
#include <utility>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "thunky/cubin/cubin_reader.h"
#include "thunky/ptx/kernel_interface.h"
#include "thunky/ptx/parser.h"

namespace thunky::compiler {
namespace {

KernelCodeContents readPtx(llvm::StringRef text) {
  KernelCodeContents contents;
  const auto module = ptx::ParseModule(std::string_view(text.data(), text.size()));
  if (!module.ok()) {
    contents.error = std::string(module.status().message());
    return contents;
  }
  const auto kernels = ptx::ListKernels(*module);
  if (!kernels.ok()) {
    contents.error = std::string(kernels.status().message());
    return contents;
  }
  for (const ptx::KernelInterface& kernel : *kernels) {
    contents.kernels.emplace(kernel.name, static_cast<int64_t>(kernel.parameters.size()));
  }
  return contents;
}

KernelCodeContents readCubin(llvm::StringRef bytes) {
  KernelCodeContents contents;
  const auto info = cubin::ReadCubin(std::string_view(bytes.data(), bytes.size()));
  if (!info.ok()) {
    contents.error = std::string(info.status().message());
    return contents;
  }
  for (const cubin::CubinEntry& entry : info->entries) {
    std::optional<int64_t> parameters;
    if (entry.parameters.has_value()) {
      parameters = static_cast<int64_t>(entry.parameters->size());
    }
    contents.kernels.emplace(entry.name, parameters);
  }
  return contents;
}

}  // namespace

std::optional<llvm::StringRef> bytesOf(mlir::Attribute attribute) {
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(attribute)) return text.getValue();
  if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(attribute)) {
    if (!resource.getElementType().isInteger(8)) return std::nullopt;
    const mlir::AsmResourceBlob* blob = resource.getRawHandle().getBlob();
    if (blob == nullptr) return std::nullopt;
    return llvm::StringRef(blob->getData().data(), blob->getData().size());
  }
  if (auto elements = llvm::dyn_cast<mlir::DenseElementsAttr>(attribute)) {
    if (!elements.getElementType().isInteger(8) || elements.isSplat()) {
      return std::nullopt;
    }
    return llvm::StringRef(elements.getRawData().data(), elements.getRawData().size());
  }
  return std::nullopt;
}

std::shared_ptr<const KernelCodeContents> KernelCodeCache::ptx(mlir::Attribute code) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const KernelCodeContents>& contents = contents_[code];
  if (contents == nullptr) {
    contents = std::make_shared<KernelCodeContents>(readPtx(bytesOf(code).value_or("")));
  }
  return contents;
}

std::shared_ptr<const KernelCodeContents> KernelCodeCache::cubin(mlir::Attribute code) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const KernelCodeContents>& contents = contents_[code];
  if (contents == nullptr) {
    contents =
        std::make_shared<KernelCodeContents>(readCubin(bytesOf(code).value_or("")));
  }
  return contents;
}

}  // namespace thunky::compiler
