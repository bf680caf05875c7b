#include "thunky/compiler/translate/code_importer.h"

#include <cctype>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/compiler/dialect/constant_value.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/cubin/cubin_reader.h"
#include "thunky/ptx/kernel_interface.h"
#include "thunky/ptx/parser.h"
#include "thunky/schema/code_table.h"

namespace thunky::compiler {
namespace {

bool ptxHas(std::string_view text, std::string_view kernel) {
  const auto module = ptx::ParseModule(text);
  if (!module.ok()) return false;
  const auto kernels = ptx::ListKernels(*module);
  return kernels.ok() && llvm::any_of(*kernels, [&](const ptx::KernelInterface& entry) {
           return entry.has_body && entry.name == kernel;
         });
}

bool cubinHas(std::string_view bytes, std::string_view kernel) {
  const auto info = cubin::ReadCubin(bytes);
  return info.ok() && info->Find(kernel) != nullptr;
}

// A name that needs no quotes.
std::string symbolName(llvm::StringRef kernel) {
  std::string name;
  for (const char c : kernel) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
                       c == '$' || c == '.';
    name.push_back(plain ? c : '_');
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
    return absl::StrCat("kernel_", name);
  }
  return name;
}

}  // namespace

CodeImporter::CodeImporter(mlir::ModuleOp module, wire::GpuExecutableProto& executable)
    : builder_(module.getContext()), executable_(executable) {
  builder_.setInsertionPointToStart(module.getBody());
  for (wire::KernelCodeProto& code :
       *executable.mutable_thunky()->mutable_kernel_code()) {
    const std::string hash = code.hash();
    table_[hash] = std::move(code);
  }
  executable.mutable_thunky()->clear_kernel_code();
  // The order of arguments stays with the program.
  if (executable.thunky().arguments().empty()) executable.clear_thunky();
}

mlir::FlatSymbolRefAttr CodeImporter::take(wire::KernelLoaderSpecProto& spec) {
  wire::KernelCodeProto code;
  if (!spec.thunky_code().empty()) {
    const auto known = symbols_.find(spec.thunky_code());
    if (known == symbols_.end()) {
      const auto entry = table_.find(spec.thunky_code());
      if (entry == table_.end()) return nullptr;
      code = std::move(entry->second);
    } else {
      spec.clear_thunky_code();
      return known->second;
    }
    spec.clear_thunky_code();
  } else if (spec.has_ptx()) {
    code.mutable_ptx()->swap(*spec.mutable_ptx()->mutable_data());
    spec.clear_ptx();
  } else if (spec.has_cubin()) {
    const auto info = cubin::ReadCubin(spec.cubin().data());
    if (!info.ok()) return nullptr;
    wire::CubinProto& cubin = *code.add_cubins();
    cubin.set_architecture(info->architecture);
    cubin.mutable_data()->swap(*spec.mutable_cubin()->mutable_data());
    spec.clear_cubin();
  } else {
    return nullptr;
  }
  return add(spec.kernel_name(), code);
}

mlir::FlatSymbolRefAttr CodeImporter::moduleCode(llvm::StringRef kernel) {
  const std::string_view name(kernel.data(), kernel.size());
  wire::KernelCodeProto code;
  if (ptxHas(executable_.asm_text(), name)) code.set_ptx(executable_.asm_text());
  if (cubinHas(executable_.binary(), name)) {
    wire::CubinProto& cubin = *code.add_cubins();
    cubin.set_architecture(cubin::ReadCubin(executable_.binary())->architecture);
    cubin.set_data(executable_.binary());
  }
  if (code.ptx().empty() && code.cubins().empty()) return nullptr;
  return add(kernel, code);
}

mlir::FlatSymbolRefAttr CodeImporter::add(llvm::StringRef kernel,
                                          wire::KernelCodeProto& code) {
  mlir::FlatSymbolRefAttr& symbol = symbols_[schema::CodeHash(code)];
  if (symbol) return symbol;
  mlir::MLIRContext* context = builder_.getContext();
  const std::string name = uniqueName(kernel);
  mlir::Attribute ptx;
  if (!code.ptx().empty()) {
    ptx = bytesResource(context, name + "_ptx", std::move(*code.mutable_ptx()));
  }
  mlir::DictionaryAttr cubins;
  if (!code.cubins().empty()) {
    llvm::SmallVector<mlir::NamedAttribute> entries;
    for (wire::CubinProto& cubin : *code.mutable_cubins()) {
      const std::string resource = name + "_" + cubin.architecture();
      entries.push_back(builder_.getNamedAttr(
          cubin.architecture(),
          bytesResource(context, resource, std::move(*cubin.mutable_data()))));
    }
    cubins = builder_.getDictionaryAttr(entries);
  }
  KernelCodeOp::create(builder_, builder_.getUnknownLoc(), builder_.getStringAttr(name),
                       nullptr, ptx, nullptr, cubins, nullptr);
  symbol = mlir::FlatSymbolRefAttr::get(context, name);
  return symbol;
}

std::string CodeImporter::uniqueName(llvm::StringRef kernel) {
  const std::string stem = symbolName(kernel);
  std::string name = stem;
  // @main is taken by the program.
  for (int i = 0; name == "main" || !names_.insert(name).second; ++i) {
    name = absl::StrCat(stem, "_", i);
  }
  return name;
}

}  // namespace thunky::compiler
