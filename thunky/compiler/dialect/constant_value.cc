#include "thunky/compiler/dialect/constant_value.h"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "llvm/ADT/APInt.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace thunky::compiler {
namespace {

// Longer values are resources: they are stored once and can be left out of text.
constexpr size_t kMaxInlineBytes = 64;

// Bits an element takes in a buffer; 0 for what cannot be stored. bool takes a byte.
int64_t storageBits(mlir::Type type) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    return 2 * storageBits(complex.getElementType());
  }
  if (type.isSignlessInteger(1)) return 8;
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

class BitWriter {
 public:
  explicit BitWriter(int64_t bits) : bytes_((bits + 7) / 8, '\0') {}

  // Appends `bits` bits of the value, the lowest first.
  void append(const llvm::APInt& value, int64_t bits) {
    for (int64_t done = 0; done < bits;) {
      const int64_t shift = position_ % 8;
      const int64_t take = std::min<int64_t>(8 - shift, bits - done);
      uint64_t part = 0;
      if (done < value.getBitWidth()) {
        part = value.extractBitsAsZExtValue(
            std::min<int64_t>(take, value.getBitWidth() - done), done);
      }
      bytes_[position_ / 8] |= static_cast<char>(part << shift);
      position_ += take;
      done += take;
    }
  }
  std::string take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
  int64_t position_ = 0;
};

// Whether MLIR stores the elements as buffers do: each in whole bytes.
bool isStoredAlike(mlir::Type type) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    type = complex.getElementType();
  }
  return type.getIntOrFloatBitWidth() % 8 == 0;
}

std::string elementBytes(mlir::DenseElementsAttr elements) {
  const mlir::Type type = elements.getElementType();
  const int64_t bits = storageBits(type);
  if (isStoredAlike(type)) {
    const llvm::ArrayRef<char> raw = elements.getRawData();
    if (!elements.isSplat()) return std::string(raw.data(), raw.size());
    std::string bytes;
    bytes.reserve(elements.getNumElements() * raw.size());
    for (int64_t i = 0; i < elements.getNumElements(); ++i) {
      bytes.append(raw.data(), raw.size());
    }
    return bytes;
  }
  BitWriter writer(bits * elements.getNumElements());
  if (llvm::isa<mlir::FloatType>(type)) {
    for (const llvm::APFloat& value : elements.getValues<llvm::APFloat>()) {
      writer.append(value.bitcastToAPInt(), bits);
    }
  } else {
    for (const llvm::APInt& value : elements.getValues<llvm::APInt>()) {
      writer.append(value, bits);
    }
  }
  return std::move(writer).take();
}

}  // namespace

std::optional<int64_t> constantSize(mlir::Attribute value) {
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(value)) {
    return static_cast<int64_t>(text.getValue().size());
  }
  auto elements = llvm::dyn_cast<mlir::ElementsAttr>(value);
  if (!elements || !elements.getShapedType().hasStaticShape()) return std::nullopt;
  const int64_t bits = storageBits(elements.getElementType());
  int64_t total = 0;
  if (bits == 0 || __builtin_mul_overflow(elements.getNumElements(), bits, &total)) {
    return std::nullopt;
  }
  return total / 8 + (total % 8 != 0 ? 1 : 0);
}

std::optional<std::string> constantBytes(mlir::Attribute value) {
  const std::optional<int64_t> size = constantSize(value);
  if (!size.has_value()) return std::nullopt;
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(value)) return text.getValue().str();
  if (auto elements = llvm::dyn_cast<mlir::DenseElementsAttr>(value)) {
    return elementBytes(elements);
  }
  auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(value);
  if (!resource) return std::nullopt;
  const mlir::AsmResourceBlob* blob = resource.getRawHandle().getBlob();
  if (blob == nullptr || static_cast<int64_t>(blob->getData().size()) != *size) {
    return std::nullopt;
  }
  return std::string(blob->getData().data(), blob->getData().size());
}

mlir::Attribute constantValue(mlir::MLIRContext* context, const std::string& name,
                              std::string bytes) {
  if (bytes.size() > kMaxInlineBytes) {
    return bytesResource(context, name, std::move(bytes));
  }
  const auto type = mlir::RankedTensorType::get(
      {static_cast<int64_t>(bytes.size())},
      mlir::IntegerType::get(context, 8, mlir::IntegerType::Unsigned));
  return mlir::DenseElementsAttr::getFromRawBuffer(
      type, llvm::ArrayRef(bytes.data(), bytes.size()));
}

mlir::Attribute bytesResource(mlir::MLIRContext* context, const std::string& name,
                              std::string&& bytes) {
  const auto type = mlir::RankedTensorType::get(
      {static_cast<int64_t>(bytes.size())},
      mlir::IntegerType::get(context, 8, mlir::IntegerType::Unsigned));
  // The string lives on the heap until the blob goes.
  auto owner = std::make_unique<std::string>(std::move(bytes));
  const llvm::ArrayRef<char> data(owner->data(), owner->size());
  mlir::AsmResourceBlob blob(
      data, alignof(char),
      [owner = std::shared_ptr<std::string>(std::move(owner))](void*, size_t, size_t) {},
      /*dataIsMutable=*/false);
  return mlir::DenseResourceElementsAttr::get(type, name, std::move(blob));
}

}  // namespace thunky::compiler
