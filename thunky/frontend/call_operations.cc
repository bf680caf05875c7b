// Kernels and custom calls.
#include <string>
#include <type_traits>

#include "thunky/frontend/operations.h"
#include "thunky/frontend/trace.h"

namespace thunky {

using frontend::Trace;

namespace {

compiler::Access access_of(Access access) {
  switch (access) {
    case Access::kRead:
      return compiler::Access::Read;
    case Access::kWrite:
      return compiler::Access::Write;
    case Access::kReadWrite:
      return compiler::Access::ReadWrite;
    case Access::kWriteAll:
      return compiler::Access::WriteAll;
  }
  return compiler::Access::ReadWrite;
}

mlir::DenseI64ArrayAttr dimensions_of(mlir::Builder& builder, const Dim3& dimensions) {
  return builder.getDenseI64ArrayAttr({dimensions.x, dimensions.y, dimensions.z});
}

template <typename T>
T value_of(const std::string& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

// The bytes that a kernel gets, as an attribute that a person can read where there is
// one.
mlir::Attribute attribute_of(mlir::Builder& builder,
                             const KernelParameter::Value& value) {
  const std::string& bytes = value.bytes;
  if (value.type == f32) return builder.getF32FloatAttr(value_of<float>(bytes));
  if (value.type == f64) return builder.getF64FloatAttr(value_of<double>(bytes));
  if (value.type == i32 || value.type == u32) {
    return builder.getI32IntegerAttr(value_of<int32_t>(bytes));
  }
  if (value.type == i64 || value.type == u64) {
    return builder.getI64IntegerAttr(value_of<int64_t>(bytes));
  }
  const auto* begin = reinterpret_cast<const int8_t*>(bytes.data());
  return mlir::DenseI8ArrayAttr::get(builder.getContext(), {begin, bytes.size()});
}

// What an attribute of a custom call is in MLIR.
class AttributeWriter {
 public:
  explicit AttributeWriter(mlir::Builder& builder) : builder_(builder) {}

  mlir::DictionaryAttr write(const Attributes& attributes) {
    mlir::NamedAttrList list;
    for (const auto& [name, value] : attributes.values()) {
      list.append(name, std::visit(*this, value.value()));
    }
    return list.getDictionary(builder_.getContext());
  }

  mlir::Attribute operator()(bool value) { return builder_.getBoolAttr(value); }
  mlir::Attribute operator()(float value) { return builder_.getF32FloatAttr(value); }
  mlir::Attribute operator()(double value) { return builder_.getF64FloatAttr(value); }
  mlir::Attribute operator()(const std::string& value) {
    return builder_.getStringAttr(value);
  }
  mlir::Attribute operator()(const Attributes& value) { return write(value); }
  template <typename T>
    requires std::integral<T>
  mlir::Attribute operator()(T value) {
    const mlir::IntegerType type = integer_type<T>();
    return mlir::IntegerAttr::get(
        type, llvm::APInt(8 * sizeof(T), static_cast<uint64_t>(value),
                          std::is_signed_v<T>, /*implicitTrunc=*/true));
  }
  template <typename T>
  mlir::Attribute operator()(const std::vector<T>& values) {
    mlir::Type type;
    if constexpr (std::same_as<T, float>) {
      type = builder_.getF32Type();
    } else if constexpr (std::same_as<T, double>) {
      type = builder_.getF64Type();
    } else {
      type = integer_type<T>();
    }
    const auto size = static_cast<int64_t>(values.size());
    if (std::is_unsigned_v<T>) {
      const auto tensor = mlir::RankedTensorType::get({size}, type);
      return mlir::DenseElementsAttr::get(tensor, llvm::ArrayRef<T>(values));
    }
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    return mlir::DenseArrayAttr::get(type, size, {bytes, values.size() * sizeof(T)});
  }

 private:
  template <typename T>
  mlir::IntegerType integer_type() {
    return mlir::IntegerType::get(
        builder_.getContext(), 8 * sizeof(T),
        std::is_signed_v<T> ? mlir::IntegerType::Signless : mlir::IntegerType::Unsigned);
  }

  mlir::Builder& builder_;
};

mlir::ArrayAttr shapes_of(Trace& trace, const std::vector<Ref>& refs) {
  llvm::SmallVector<mlir::Attribute> types;
  for (const Ref& ref : refs) {
    types.push_back(mlir::TypeAttr::get(trace.tensor_type(ref.type())));
  }
  return trace.builder().getArrayAttr(types);
}

mlir::ArrayAttr layouts_of(mlir::Builder& builder,
                           const std::vector<std::vector<int64_t>>& layouts) {
  if (layouts.empty()) return {};
  llvm::SmallVector<mlir::Attribute> list;
  for (const std::vector<int64_t>& layout : layouts) {
    list.push_back(builder.getDenseI64ArrayAttr(layout));
  }
  return builder.getArrayAttr(list);
}

mlir::UnitAttr flag(mlir::Builder& builder, bool value) {
  return value ? builder.getUnitAttr() : mlir::UnitAttr();
}

}  // namespace

void ptx_kernel(const KernelCode& code, std::string_view entry,
                const std::vector<KernelParameter>& parameters, const Launch& launch,
                const std::source_location& where) {
  Trace& trace = Trace::current("ptx_kernel", where);
  mlir::OpBuilder& builder = trace.builder();
  llvm::SmallVector<mlir::Value> buffers;
  llvm::SmallVector<mlir::Attribute> access;
  llvm::SmallVector<mlir::Attribute> list;
  bool only_buffers = true;
  for (const KernelParameter& parameter : parameters) {
    if (const auto* buffer = std::get_if<KernelBuffer>(&parameter.content())) {
      list.push_back(builder.getIndexAttr(static_cast<int64_t>(buffers.size())));
      buffers.push_back(trace.value(buffer->ref, "ptx_kernel", where));
      access.push_back(
          compiler::AccessAttr::get(trace.context(), access_of(buffer->access)));
      continue;
    }
    only_buffers = false;
    const auto* value = std::get_if<KernelParameter::Value>(&parameter.content());
    list.push_back(value != nullptr ? attribute_of(builder, *value)
                                    : mlir::Attribute(builder.getUnitAttr()));
  }
  trace.emit<compiler::PtxKernelOp>(
      where, trace.location(entry, where), trace.symbol(code, entry, where),
      builder.getStringAttr(llvm::StringRef(entry)), dimensions_of(builder, launch.grid),
      dimensions_of(builder, launch.block),
      builder.getI64IntegerAttr(launch.shared_bytes), builder.getArrayAttr(access),
      only_buffers ? mlir::ArrayAttr() : builder.getArrayAttr(list),
      launch.cluster ? dimensions_of(builder, *launch.cluster)
                     : mlir::DenseI64ArrayAttr(),
      flag(builder, launch.programmatic),
      launch.zeroed_outputs.empty() ? mlir::DenseI64ArrayAttr()
                                    : builder.getDenseI64ArrayAttr(launch.zeroed_outputs),
      mlir::ArrayAttr(), mlir::ArrayAttr(), buffers);
}

void custom_call(std::string_view target, const std::vector<Ref>& operands,
                 const std::vector<Ref>& results, const CustomCallOptions& options,
                 const std::source_location& where) {
  Trace& trace = Trace::current("custom_call", where);
  mlir::OpBuilder& builder = trace.builder();
  if (target.empty()) {
    throw Error(ErrorCode::invalid_argument, "custom_call: the target has no name",
                where);
  }
  llvm::SmallVector<mlir::Value> buffers = trace.values(operands, "custom_call", where);
  buffers.append(trace.values(results, "custom_call", where));
  const auto count = [&](const std::vector<Ref>& refs) {
    return builder.getI64IntegerAttr(static_cast<int64_t>(refs.size()));
  };
  trace.emit<compiler::CustomCallOp>(
      where, trace.location(target, where),
      builder.getStringAttr(llvm::StringRef(target)), count(operands), count(results),
      AttributeWriter(builder).write(options.attributes), shapes_of(trace, operands),
      shapes_of(trace, results), layouts_of(builder, options.operand_layouts),
      layouts_of(builder, options.result_layouts), flag(builder, options.programmatic),
      mlir::UnitAttr(), buffers);
}

}  // namespace thunky
