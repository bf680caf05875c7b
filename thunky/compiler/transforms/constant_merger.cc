#include "thunky/compiler/transforms/constant_merger.h"

#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "llvm/Support/SHA256.h"
#include "mlir/IR/Builders.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/constant_value.h"

namespace thunky::compiler {
namespace {

// A splat of a few characters can stand for any number of bytes. Larger ones are equal to
// themselves alone.
constexpr int64_t kMaxComparedBytes = int64_t{1} << 30;

std::string contentOf(mlir::Attribute value) {
  const std::optional<int64_t> size = constantSize(value);
  std::optional<std::string> bytes;
  if (size.has_value() && *size <= kMaxComparedBytes) bytes = constantBytes(value);
  if (!bytes.has_value()) {
    return absl::StrCat("attribute ",
                        reinterpret_cast<uintptr_t>(value.getAsOpaquePointer()));
  }
  const llvm::StringRef trimmed = llvm::StringRef(*bytes).rtrim(llvm::StringRef("\0", 1));
  const auto digest =
      llvm::SHA256::hash(llvm::ArrayRef(trimmed.bytes_begin(), trimmed.bytes_end()));
  return absl::StrCat("bytes ", std::string(digest.begin(), digest.end()));
}

}  // namespace

const std::string& ConstantContents::of(mlir::Attribute value) {
  const auto [content, added] = contents_.try_emplace(value);
  if (added) content->second = contentOf(value);
  return content->second;
}

std::string ConstantContents::nextName(llvm::StringRef stem) {
  return absl::StrCat(stem.str(), "_", numbers_[stem]++);
}

void ConstantMerger::list() {
  listed_ = true;
  for (mlir::Operation& op : main_.getBody().front()) {
    auto constant = llvm::dyn_cast<ConstantOp>(op);
    if (!constant) return;
    const int64_t size = constant.getResult().getType().getSize();
    known_.try_emplace({contents_.of(constant.getValue()), size}, constant);
    if (constant.getName().has_value()) names_.insert(*constant.getName());
    last_ = constant;
  }
}

mlir::Value ConstantMerger::merged(ConstantOp constant, mlir::Location location) {
  if (!listed_) list();
  const int64_t size = constant.getResult().getType().getSize();
  ConstantOp& known = known_[{contents_.of(constant.getValue()), size}];
  if (known) return known.getResult();
  ConstantOp copy = constant.clone();
  copy->setLoc(location);
  copy->removeAttr(kOriginAllocation);
  if (const std::optional<llvm::StringRef> stem = constant.getName()) {
    std::string name = stem->str();
    while (!names_.insert(name).second) name = contents_.nextName(*stem);
    copy.setName(name);
  }
  mlir::Block& body = main_.getBody().front();
  body.getOperations().insert(last_ ? std::next(last_->getIterator()) : body.begin(),
                              copy);
  last_ = copy;
  known = copy;
  return copy.getResult();
}

}  // namespace thunky::compiler
