#include "thunky/compiler/dialect/kernel_parameters.h"

#include <optional>
#include <string>

#include "llvm/ADT/APInt.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

namespace thunky::compiler {
namespace {

constexpr size_t kPointerBytes = 8;

void addBuffer(int64_t number, wire::KernelArgsPackingSpecProto& spec) {
  wire::KernelArgPackingRelocationProto& relocation =
      *spec.add_kernel_arguments()->add_relocations();
  relocation.set_kind(wire::KernelArgPackingRelocationProto::KIND_BITS64_ABSOLUTE);
  relocation.set_argument_index(static_cast<int32_t>(number));
}

// Little endian, whole bytes.
std::string bytesOf(const llvm::APInt& value) {
  std::string bytes;
  for (unsigned bit = 0; bit < value.getBitWidth(); bit += 8) {
    bytes.push_back(static_cast<char>(value.extractBitsAsZExtValue(8, bit)));
  }
  return bytes;
}

// The bytes of a parameter passed by value; nothing for other attributes.
std::optional<std::string> valueOf(mlir::Attribute attribute) {
  if (llvm::isa<mlir::UnitAttr>(attribute)) return std::string(kPointerBytes, '\0');
  if (auto array = llvm::dyn_cast<mlir::DenseI8ArrayAttr>(attribute)) {
    return std::string(array.getRawData().data(), array.getRawData().size());
  }
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(attribute)) {
    const llvm::APInt bits = number.getValue().bitcastToAPInt();
    if (bits.getBitWidth() % 8 != 0) return std::nullopt;
    return bytesOf(bits);
  }
  auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute);
  if (!number) return std::nullopt;
  const llvm::APInt bits = number.getValue();
  if (bits.getBitWidth() == 1) return std::string(1, bits.isZero() ? '\0' : '\1');
  if (bits.getBitWidth() % 8 != 0) return std::nullopt;
  return bytesOf(bits);
}

}  // namespace

llvm::LogicalResult writePacking(mlir::Operation* op, mlir::ArrayAttr parameters,
                                 size_t buffers, wire::KernelArgsPackingSpecProto& spec) {
  spec.Clear();
  if (!parameters) {
    for (size_t i = 0; i < buffers; ++i) addBuffer(static_cast<int64_t>(i), spec);
    return mlir::success();
  }
  for (mlir::Attribute parameter : parameters) {
    auto number = llvm::dyn_cast<mlir::IntegerAttr>(parameter);
    if (number && number.getType().isIndex()) {
      const int64_t index = number.getInt();
      if (index < 0 || index >= static_cast<int64_t>(buffers)) {
        return op->emitOpError("has parameter ")
               << parameter << ", the number of a buffer; there are " << buffers;
      }
      addBuffer(index, spec);
      continue;
    }
    const std::optional<std::string> value = valueOf(parameter);
    if (!value.has_value()) {
      return op->emitOpError("has parameter ")
             << parameter << "; an index (the number of a buffer), unit (a null pointer),"
             << " a number of whole bytes or array<i8: ...> is needed";
    }
    spec.add_kernel_arguments()->set_data(*value);
  }
  return mlir::success();
}

std::optional<mlir::ArrayAttr> readPacking(mlir::MLIRContext* context,
                                           const wire::KernelArgsPackingSpecProto& spec,
                                           int buffers) {
  mlir::Builder builder(context);
  llvm::SmallVector<mlir::Attribute> parameters;
  bool inOrder = spec.kernel_arguments_size() == buffers;
  for (const wire::KernelArgPackingSpecProto& argument : spec.kernel_arguments()) {
    const int64_t position = static_cast<int64_t>(parameters.size());
    if (argument.relocations().empty()) {
      inOrder = false;
      const std::string& data = argument.data();
      if (data == std::string(kPointerBytes, '\0')) {
        parameters.push_back(builder.getUnitAttr());
      } else {
        const llvm::ArrayRef bytes(reinterpret_cast<const int8_t*>(data.data()),
                                   data.size());
        parameters.push_back(builder.getDenseI8ArrayAttr(bytes));
      }
      continue;
    }
    if (argument.relocations_size() != 1 || !argument.data().empty()) {
      return std::nullopt;
    }
    const int64_t index = argument.relocations(0).argument_index();
    inOrder = inOrder && index == position;
    parameters.push_back(builder.getIndexAttr(index));
  }
  if (inOrder) return mlir::ArrayAttr();
  return builder.getArrayAttr(parameters);
}

}  // namespace thunky::compiler
