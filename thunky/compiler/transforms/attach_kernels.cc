#include "thunky/compiler/transforms/attach_kernels.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "thunky/compiler/dialect/constant_value.h"
#include "thunky/compiler/dialect/kernel_parameters.h"
#include "thunky/compiler/dialect/payload.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {
namespace {

// Larger files are no kernels.
constexpr uint64_t kMaxFileBytes = uint64_t{256} << 20;
constexpr uint64_t kPointerBytes = 8;

// A launch of an entry of some code.
struct KernelUse {
  mlir::Operation* op;
  mlir::FlatSymbolRefAttr code;
  std::string entry;
  std::array<uint64_t, 3> block;
  std::vector<uint64_t> parameterSizes;
};

std::vector<uint64_t> parameterSizes(const wire::CustomKernelProto& kernel,
                                     size_t buffers) {
  std::vector<uint64_t> sizes;
  if (!kernel.kernel_spec().has_kernel_args_packing_spec()) {
    sizes.assign(buffers, kPointerBytes);
    return sizes;
  }
  for (const auto& argument :
       kernel.kernel_spec().kernel_args_packing_spec().kernel_arguments()) {
    sizes.push_back(argument.relocations().empty() ? argument.data().size()
                                                   : kPointerBytes);
  }
  return sizes;
}

KernelUse useOf(mlir::Operation* op, mlir::FlatSymbolRefAttr code,
                const wire::CustomKernelProto& kernel, size_t buffers) {
  const wire::Dim3DProto& threads = kernel.thread_dims().coordinates();
  return {op,
          code,
          kernel.kernel_spec().kernel_name(),
          {static_cast<uint64_t>(threads.x()), static_cast<uint64_t>(threads.y()),
           static_cast<uint64_t>(threads.z())},
          parameterSizes(kernel, buffers)};
}

// Launches of a ptx_kernel and of the custom_kernels in a payload.
void addUses(mlir::Operation* op, std::vector<KernelUse>& uses) {
  if (auto launch = llvm::dyn_cast<PtxKernelOp>(op)) {
    wire::CustomKernelProto kernel;
    kernel.mutable_kernel_spec()->set_kernel_name(launch.getKernelName().str());
    wire::Dim3DProto& block = *kernel.mutable_thread_dims()->mutable_coordinates();
    block.set_x(launch.getBlockDim()[0]);
    block.set_y(launch.getBlockDim()[1]);
    block.set_z(launch.getBlockDim()[2]);
    wire::KernelArgsPackingSpecProto& packing =
        *kernel.mutable_kernel_spec()->mutable_kernel_args_packing_spec();
    if (mlir::failed(writePacking(op, launch.getParametersAttr(),
                                  launch.getBuffers().size(), packing))) {
      return;
    }
    uses.push_back(useOf(op, launch.getCodeAttr(), kernel, launch.getBuffers().size()));
    return;
  }
  auto payload = llvm::dyn_cast<CallThunkProtoOp>(op);
  wire::ThunkProto thunk;
  if (!payload || !payload.getCode() ||
      !parseBytes(payload.getThunkProto(), thunk).ok()) {
    return;
  }
  // kernelsOf has every kernel in order; those of custom_kernels say how they launch.
  std::vector<wire::ThunkProto*> thunks = embeddedThunksOf(thunk);
  thunks.insert(thunks.begin(), &thunk);
  const std::vector<wire::KernelLoaderSpecProto*> specs = kernelsOf(thunk);
  for (const auto& [symbol, spec] : llvm::zip(*payload.getCode(), specs)) {
    auto code = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(symbol);
    if (!code) continue;
    for (const wire::ThunkProto* candidate : thunks) {
      const wire::CustomKernelThunkProto& launch = candidate->custom_kernel_thunk();
      if (&launch.custom_kernel().kernel_spec() != spec) continue;
      uses.push_back(useOf(op, code, launch.custom_kernel(), launch.args_size()));
    }
  }
}

mlir::Attribute resourceOf(KernelCodeOp code, llvm::StringRef suffix,
                           std::string content) {
  return bytesResource(code.getContext(), (code.getSymName() + suffix).str(),
                       std::move(content));
}

}  // namespace

llvm::LogicalResult attachKernels(mlir::ModuleOp module,
                                  const code::PtxLibrary& library) {
  std::vector<KernelUse> uses;
  module.walk([&](mlir::Operation* op) { addUses(op, uses); });
  const mlir::SymbolTable symbols(module);
  std::map<const std::string*, mlir::Attribute> resources;
  llvm::DenseMap<mlir::Operation*, const code::PtxEntry*> attached;
  std::vector<std::string> used;
  for (const KernelUse& use : uses) {
    auto code = symbols.lookup<KernelCodeOp>(use.code.getAttr());
    const code::PtxEntry* entry = library.Find(use.entry);
    if (!code || entry == nullptr) continue;
    if (code.getPtx() && attached.count(code) == 0) continue;  // its own wins
    const absl::Status fits = code::CheckFits(*entry, use.block, use.parameterSizes);
    if (!fits.ok()) return use.op->emitOpError(std::string(fits.message()));
    const auto [known, added] = attached.try_emplace(code, entry);
    if (!added && known->second->text != entry->text) {
      return use.op->emitOpError("launches '")
             << use.entry << "' of @" << code.getSymName() << ", which is in "
             << entry->file << "; other kernels of this code are in "
             << known->second->file;
    }
    mlir::Attribute& resource = resources[entry->text.get()];
    if (!resource) resource = resourceOf(code, "_ptx", *entry->text);
    code.setPtxAttr(resource);
    used.push_back(use.entry);
  }
  for (const std::string& file : library.UnusedFiles(used)) {
    module.emitWarning(file) << ": no kernel of the program uses this file";
  }
  return mlir::success();
}

absl::StatusOr<std::string> readCodeFile(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (const std::error_code error = llvm::sys::fs::status(path, status)) {
    return absl::NotFoundError("cannot be read: " + error.message());
  }
  if (status.type() != llvm::sys::fs::file_type::regular_file ||
      status.getSize() > kMaxFileBytes) {
    return absl::InvalidArgumentError("a regular file of at most " +
                                      std::to_string(kMaxFileBytes) + " bytes is needed");
  }
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    return absl::NotFoundError("cannot be read: " + buffer.getError().message());
  }
  return (*buffer)->getBuffer().str();
}

namespace {

mlir::FailureOr<std::string> readFile(KernelCodeOp code, llvm::StringRef name,
                                      llvm::StringRef folder) {
  llvm::SmallString<256> path(name);
  if (!llvm::sys::path::is_absolute(name) && !folder.empty()) {
    path = folder;
    llvm::sys::path::append(path, name);
  }
  absl::StatusOr<std::string> content = readCodeFile(path);
  if (content.ok()) return *std::move(content);
  return code.emitOpError("names the file '")
         << path << "': " << std::string(content.status().message());
}

}  // namespace

llvm::LogicalResult readCodeFiles(mlir::ModuleOp module, llvm::StringRef folder) {
  bool read = false;
  for (auto code : module.getOps<KernelCodeOp>()) {
    read = read || code.getPtxFile() || code.getCubinFiles();
    if (code.getPtxFile()) {
      const mlir::FailureOr<std::string> text =
          readFile(code, *code.getPtxFile(), folder);
      if (mlir::failed(text)) return mlir::failure();
      code.setPtxAttr(resourceOf(code, "_ptx", *text));
      code.removePtxFileAttr();
    }
    const std::optional<mlir::DictionaryAttr> files = code.getCubinFiles();
    if (!files.has_value()) continue;
    mlir::NamedAttrList cubins(code.getCubinsAttr());
    for (const mlir::NamedAttribute& file : *files) {
      const mlir::FailureOr<std::string> bytes = readFile(
          code, llvm::cast<mlir::StringAttr>(file.getValue()).getValue(), folder);
      if (mlir::failed(bytes)) return mlir::failure();
      cubins.set(file.getName(),
                 resourceOf(code, ("_" + file.getName().getValue()).str(), *bytes));
    }
    code.setCubinsAttr(cubins.getDictionary(code.getContext()));
    code.removeCubinFilesAttr();
  }
  // Only now it can be seen whether the code is what its users want.
  return read ? mlir::verify(module) : mlir::success();
}

}  // namespace thunky::compiler
