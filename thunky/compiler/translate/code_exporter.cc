#include "thunky/compiler/translate/code_exporter.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "thunky/schema/code_table.h"

namespace thunky::compiler {
namespace {

std::string contentOf(mlir::Attribute code) {
  return bytesOf(code).value_or(llvm::StringRef()).str();
}

// "PTX", "a cubin for sm_90a".
std::vector<std::string> formsOf(KernelCodeOp code) {
  std::vector<std::string> forms;
  if (code.getPtx()) forms.push_back("PTX");
  if (const std::optional<mlir::DictionaryAttr> cubins = code.getCubins()) {
    for (const mlir::NamedAttribute& cubin : *cubins) {
      forms.push_back("a cubin for " + cubin.getName().str());
    }
  }
  return forms;
}

}  // namespace

CodeExporter::CodeExporter(mlir::ModuleOp module, CodePlacement placement,
                           std::string architecture)
    : symbols_(module), placement_(placement), architecture_(std::move(architecture)) {}

llvm::LogicalResult CodeExporter::attach(mlir::Operation* op,
                                         mlir::FlatSymbolRefAttr symbol,
                                         wire::KernelLoaderSpecProto& spec) {
  auto code = symbols_.lookup<KernelCodeOp>(symbol.getAttr());
  if (!code) return op->emitOpError("uses ") << symbol << ", which is no kernel_code";
  if (placement_ != CodePlacement::kTable) return attachPayload(op, code, spec);
  std::string& hash = hashes_[symbol];
  if (hash.empty()) {
    wire::KernelCodeProto content;
    if (code.getPtx()) content.set_ptx(contentOf(*code.getPtx()));
    if (const std::optional<mlir::DictionaryAttr> cubins = code.getCubins()) {
      for (const mlir::NamedAttribute& cubin : *cubins) {
        wire::CubinProto& proto = *content.add_cubins();
        proto.set_architecture(cubin.getName().str());
        proto.set_data(contentOf(cubin.getValue()));
      }
    }
    hash = schema::CodeHash(content);
    content.set_hash(hash);
    table_.try_emplace(hash, std::move(content));
  }
  spec.clear_payload();
  spec.set_thunky_code(hash);
  return mlir::success();
}

mlir::Attribute CodeExporter::cubinOf(KernelCodeOp code) const {
  const std::optional<mlir::DictionaryAttr> cubins = code.getCubins();
  if (!cubins.has_value() || cubins->empty()) return nullptr;
  if (const mlir::Attribute cubin = cubins->get(architecture_)) return cubin;
  // A cubin's note of its architecture may lack the letter.
  const llvm::StringRef number = llvm::StringRef(architecture_).rtrim("af");
  if (const mlir::Attribute cubin = cubins->get(number)) return cubin;
  return architecture_.empty() && cubins->size() == 1 ? cubins->begin()->getValue()
                                                      : mlir::Attribute();
}

llvm::LogicalResult CodeExporter::attachPayload(mlir::Operation* op, KernelCodeOp code,
                                                wire::KernelLoaderSpecProto& spec) {
  const mlir::Attribute cubin = cubinOf(code);
  if (placement_ != CodePlacement::kPtx && cubin) {
    spec.mutable_cubin()->set_data(contentOf(cubin));
    return mlir::success();
  }
  if (placement_ != CodePlacement::kCubin && code.getPtx()) {
    spec.mutable_ptx()->set_data(contentOf(*code.getPtx()));
    return mlir::success();
  }
  const llvm::StringRef wanted = placement_ == CodePlacement::kPtx     ? "PTX"
                                 : placement_ == CodePlacement::kCubin ? "cubin"
                                                                       : "code";
  mlir::InFlightDiagnostic diagnostic = op->emitOpError("launches '");
  diagnostic << spec.kernel_name() << "', and @" << code.getSymName() << " has no "
             << wanted;
  if (placement_ != CodePlacement::kPtx && !architecture_.empty()) {
    diagnostic << " for " << architecture_;
  }
  diagnostic << "; it has ";
  llvm::interleaveComma(formsOf(code), diagnostic);
  if (placement_ != CodePlacement::kCubin) {
    diagnostic << "; thunky-attach-kernels (--kernels) adds PTX";
  }
  return diagnostic;
}

void CodeExporter::finish(wire::GpuExecutableProto& executable) {
  for (auto& [hash, content] : table_) {
    *executable.mutable_thunky()->add_kernel_code() = std::move(content);
  }
  table_.clear();
}

}  // namespace thunky::compiler
