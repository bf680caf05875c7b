#include "thunky/compiler/transforms/code_merger.h"

#include "absl/strings/str_cat.h"
#include "llvm/Support/SHA256.h"
#include "mlir/IR/SymbolTable.h"

namespace thunky::compiler {
namespace {

// A hash of values of any length, each of which counts with its length.
class ContentHash {
 public:
  void add(llvm::StringRef bytes) {
    addNumber(bytes.size());
    hash_.update(bytes);
  }
  void addNumber(uint64_t number) {
    std::array<uint8_t, sizeof(number)> bytes;
    for (uint8_t& byte : bytes) {
      byte = static_cast<uint8_t>(number);
      number >>= 8;
    }
    hash_.update(bytes);
  }
  // What has no bytes is equal to itself alone.
  void add(mlir::Attribute attribute) {
    if (!attribute) return addNumber(0);
    const std::optional<llvm::StringRef> bytes = bytesOf(attribute);
    addNumber(bytes.has_value() ? 1 : 2);
    if (bytes.has_value()) return add(*bytes);
    addNumber(reinterpret_cast<uintptr_t>(attribute.getAsOpaquePointer()));
  }
  void add(mlir::DictionaryAttr entries) {
    addNumber(entries ? entries.size() : 0);
    if (!entries) return;
    for (const mlir::NamedAttribute& entry : entries) {
      add(entry.getName().getValue());
      add(entry.getValue());
    }
  }

  std::string finish() {
    const auto digest = hash_.final();
    return std::string(digest.begin(), digest.end());
  }

 private:
  llvm::SHA256 hash_;
};

}  // namespace

const std::string& CodeContents::of(KernelCodeOp op) {
  const auto entry = [&](mlir::StringAttr name, mlir::Attribute value) {
    return value ? mlir::NamedAttribute(name, value)
                 : mlir::NamedAttribute(name, mlir::UnitAttr::get(op.getContext()));
  };
  const mlir::DictionaryAttr key = mlir::DictionaryAttr::get(
      op.getContext(), {entry(op.getPtxAttrName(), op.getPtxAttr()),
                        entry(op.getPtxFileAttrName(), op.getPtxFileAttr()),
                        entry(op.getCubinsAttrName(), op.getCubinsAttr()),
                        entry(op.getCubinFilesAttrName(), op.getCubinFilesAttr())});
  const auto [content, added] = contents_.try_emplace(key);
  if (added) {
    ContentHash hash;
    hash.add(op.getPtxAttr());
    hash.add(mlir::Attribute(op.getPtxFileAttr()));
    hash.add(op.getCubinsAttr());
    hash.add(op.getCubinFilesAttr());
    content->second = hash.finish();
  }
  return content->second;
}

std::string CodeContents::uniqueName(mlir::ModuleOp module, llvm::StringRef stem) {
  int& number = numbers_[stem];
  std::string name;
  do {
    name = absl::StrCat(stem.str(), "_", number++);
  } while (mlir::SymbolTable::lookupSymbolIn(module, name) != nullptr);
  return name;
}

mlir::FlatSymbolRefAttr CodeMerger::merged(mlir::FlatSymbolRefAttr symbol) {
  const auto [entry, added] = merged_.try_emplace(symbol, symbol);
  if (!added) return entry->second;
  auto code = callee_.lookupSymbol<KernelCodeOp>(symbol.getAttr());
  if (!code) return symbol;
  if (!listed_) {
    for (auto own : host_.getOps<KernelCodeOp>()) {
      known_.try_emplace(contents_.of(own), own);
      last_ = own;
    }
    listed_ = true;
  }
  const auto known = known_.find(contents_.of(code));
  const mlir::FlatSymbolRefAttr found =
      known != known_.end() ? mlir::FlatSymbolRefAttr::get(known->second) : add(code);
  merged_[symbol] = found;
  return found;
}

mlir::FlatSymbolRefAttr CodeMerger::add(KernelCodeOp code) {
  KernelCodeOp copy = code.clone();
  const llvm::StringRef name = code.getSymName();
  if (mlir::SymbolTable::lookupSymbolIn(host_, name) != nullptr) {
    copy.setSymName(contents_.uniqueName(host_, name));
  }
  mlir::Block& body = *host_.getBody();
  body.getOperations().insert(
      last_ ? std::next(last_->getIterator()) : body.getOperations().begin(), copy);
  last_ = copy;
  known_.try_emplace(contents_.of(copy), copy);
  return mlir::FlatSymbolRefAttr::get(copy);
}

}  // namespace thunky::compiler
