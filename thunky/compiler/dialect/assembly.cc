#include "thunky/compiler/dialect/assembly.h"

#include <optional>
#include <string>

#include "llvm/Support/Format.h"
#include "mlir/IR/Builders.h"
#include "thunky/compiler/dialect/proto_attributes.h"

namespace thunky::compiler {
namespace {

// ": <64>" or ": !thunky.buffer<64>".
mlir::ParseResult parseBufferType(mlir::OpAsmParser& parser, Types& types) {
  BufferType type;
  if (parser.parseColon() || parser.parseCustomTypeWithFallback(type)) {
    return mlir::failure();
  }
  types.push_back(type);
  return mlir::success();
}

void printBufferType(mlir::OpAsmPrinter& printer, mlir::Type type) {
  printer << " : ";
  printer.printStrippedAttrOrType(llvm::cast<BufferType>(type));
}

mlir::ParseResult parseBuffer(mlir::OpAsmParser& parser, UnresolvedOperands& buffers,
                              Types& types) {
  return mlir::failure(parser.parseOperand(buffers.emplace_back()) ||
                       parseBufferType(parser, types));
}

// One of the names of an enumeration.
template <typename Enum>
mlir::ParseResult parseName(mlir::OpAsmParser& parser, llvm::StringRef what,
                            std::optional<Enum>& value) {
  const llvm::SMLoc location = parser.getCurrentLocation();
  llvm::StringRef keyword;
  if (parser.parseKeyword(&keyword)) return mlir::failure();
  value = symbolizeEnum<Enum>(keyword);
  if (value.has_value()) return mlir::success();
  return parser.emitError(location, "'") << keyword << "' is no " << what;
}

}  // namespace

mlir::ParseResult parseBuffers(mlir::OpAsmParser& parser, UnresolvedOperands& buffers,
                               Types& types) {
  return parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Paren, [&] {
    return parseBuffer(parser, buffers, types);
  });
}

void printBuffers(mlir::OpAsmPrinter& printer, mlir::Operation*,
                  mlir::OperandRange buffers, mlir::TypeRange types) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(buffers, types), printer, [&](const auto& pair) {
    printer << std::get<0>(pair);
    printBufferType(printer, std::get<1>(pair));
  });
  printer << ')';
}

mlir::ParseResult parseKernelBuffers(mlir::OpAsmParser& parser,
                                     UnresolvedOperands& buffers, Types& types,
                                     mlir::ArrayAttr& access) {
  llvm::SmallVector<mlir::Attribute> modes;
  const auto parseOne = [&]() -> mlir::ParseResult {
    std::optional<Access> mode;
    if (parser.parseOperand(buffers.emplace_back()) ||
        parseName(parser, "access: read, write, read_write or write_all", mode) ||
        parseBufferType(parser, types)) {
      return mlir::failure();
    }
    modes.push_back(AccessAttr::get(parser.getContext(), *mode));
    return mlir::success();
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Paren, parseOne)) {
    return mlir::failure();
  }
  access = parser.getBuilder().getArrayAttr(modes);
  return mlir::success();
}

void printKernelBuffers(mlir::OpAsmPrinter& printer, mlir::Operation*,
                        mlir::OperandRange buffers, mlir::TypeRange types,
                        mlir::ArrayAttr access) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(buffers, types, access), printer, [&](const auto& one) {
    printer << std::get<0>(one) << ' '
            << stringifyAccess(llvm::cast<AccessAttr>(std::get<2>(one)).getValue());
    printBufferType(printer, std::get<1>(one));
  });
  printer << ')';
}

mlir::ParseResult parseCallBuffers(mlir::OpAsmParser& parser, UnresolvedOperands& buffers,
                                   Types& types, mlir::IntegerAttr& operands,
                                   mlir::IntegerAttr& results) {
  if (parseBuffers(parser, buffers, types)) return mlir::failure();
  const auto first = static_cast<int64_t>(buffers.size());
  if (parser.parseArrow() || parseBuffers(parser, buffers, types)) {
    return mlir::failure();
  }
  mlir::Builder& builder = parser.getBuilder();
  operands = builder.getI64IntegerAttr(first);
  results = builder.getI64IntegerAttr(static_cast<int64_t>(buffers.size()) - first);
  return mlir::success();
}

void printCallBuffers(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                      mlir::OperandRange buffers, mlir::TypeRange types,
                      mlir::IntegerAttr operands, mlir::IntegerAttr) {
  const auto first = static_cast<size_t>(operands.getInt());
  printBuffers(printer, op, buffers.take_front(first), types.take_front(first));
  printer << " -> ";
  printBuffers(printer, op, buffers.drop_front(first), types.drop_front(first));
}

mlir::ParseResult parseDimensions(mlir::OpAsmParser& parser,
                                  mlir::DenseI64ArrayAttr& dimensions) {
  llvm::SmallVector<int64_t> values;
  const auto parseOne = [&] { return parser.parseInteger(values.emplace_back()); };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, parseOne)) {
    return mlir::failure();
  }
  dimensions = parser.getBuilder().getDenseI64ArrayAttr(values);
  return mlir::success();
}

void printDimensions(mlir::OpAsmPrinter& printer, mlir::Operation*,
                     mlir::DenseI64ArrayAttr dimensions) {
  printer << '[';
  llvm::interleaveComma(dimensions.asArrayRef(), printer);
  printer << ']';
}

mlir::ParseResult parseOptionalDimensions(mlir::OpAsmParser& parser,
                                          mlir::DenseI64ArrayAttr& dimensions) {
  return parseDimensions(parser, dimensions);
}

void printOptionalDimensions(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                             mlir::DenseI64ArrayAttr dimensions) {
  printDimensions(printer, op, dimensions);
}

mlir::ParseResult parseBitPattern(mlir::OpAsmParser& parser, mlir::IntegerAttr& value) {
  const llvm::SMLoc location = parser.getCurrentLocation();
  llvm::APInt pattern;
  const mlir::OptionalParseResult parsed = parser.parseOptionalInteger(pattern);
  if (!parsed.has_value()) {
    return parser.emitError(location, "expected 32 bits, such as 0x3f800000");
  }
  if (mlir::failed(*parsed)) return mlir::failure();
  // A number in hexadecimal has no sign.
  if (!pattern.isIntN(32) && !pattern.isSignedIntN(32)) {
    return parser.emitError(location, "does not fit 32 bits");
  }
  value = parser.getBuilder().getIntegerAttr(parser.getBuilder().getI32Type(),
                                             pattern.sextOrTrunc(32));
  return mlir::success();
}

void printBitPattern(mlir::OpAsmPrinter& printer, mlir::Operation*,
                     mlir::IntegerAttr value) {
  printer << llvm::format("0x%08x",
                          static_cast<uint32_t>(value.getValue().getZExtValue()));
}

mlir::ParseResult parsePayload(mlir::OpAsmParser& parser, mlir::StringAttr& payload) {
  llvm::StringRef form;
  const llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseKeyword(&form)) return mlir::failure();
  std::string content;
  if (form != "text" && form != "bytes") {
    return parser.emitError(location, "expected text or bytes and a string");
  }
  if (parser.parseString(&content)) return mlir::failure();
  if (form == "text") {
    wire::ThunkProto thunk;
    const absl::Status status = parseText(content, thunk);
    if (!status.ok()) {
      return parser.emitError(location, "the payload is no ThunkProto: ")
             << std::string(status.message());
    }
    content = bytesOf(thunk);
  }
  payload = parser.getBuilder().getStringAttr(content);
  return mlir::success();
}

void printPayload(mlir::OpAsmPrinter& printer, mlir::Operation*,
                  mlir::StringAttr payload) {
  wire::ThunkProto thunk;
  if (parseBytes(payload.getValue(), thunk).ok() &&
      bytesOf(thunk) == payload.getValue()) {
    if (const std::optional<std::string> text = textOf(thunk)) {
      printer << "text ";
      printer.printString(*text);
      return;
    }
  }
  printer << "bytes ";
  printer.printString(payload.getValue());
}

mlir::ParseResult parseStream(mlir::OpAsmParser& parser, mlir::IntegerAttr& id,
                              mlir::BoolAttr& isCommunication) {
  int64_t number = 0;
  if (parser.parseInteger(number)) return mlir::failure();
  id = parser.getBuilder().getI64IntegerAttr(number);
  const bool communication = parser.parseOptionalKeyword("communication").succeeded();
  isCommunication = parser.getBuilder().getBoolAttr(communication);
  return mlir::success();
}

void printStream(mlir::OpAsmPrinter& printer, mlir::Operation*, mlir::IntegerAttr id,
                 mlir::BoolAttr isCommunication) {
  printer << id.getInt();
  if (isCommunication.getValue()) printer << " communication";
}

mlir::ParseResult parseReductionName(mlir::OpAsmParser& parser, ReductionAttr& kind) {
  if (parser.parseOptionalKeyword("product").succeeded()) {
    kind = ReductionAttr::get(parser.getContext(), Reduction::Prod);
    return mlir::success();
  }
  std::optional<Reduction> value;
  if (parseName(parser, "reduction: sum, prod, min or max", value)) {
    return mlir::failure();
  }
  kind = ReductionAttr::get(parser.getContext(), *value);
  return mlir::success();
}

void printReductionName(mlir::OpAsmPrinter& printer, mlir::Operation*,
                        ReductionAttr kind) {
  printer << stringifyReduction(kind.getValue());
}

mlir::ParseResult parseGroupModeName(mlir::OpAsmParser& parser, GroupModeAttr& mode) {
  if (parser.parseOptionalKeyword("mode").failed()) {
    mode = GroupModeAttr::get(parser.getContext(), GroupMode::FlattenedId);
    return mlir::success();
  }
  std::optional<GroupMode> value;
  if (parseName(parser,
                "mode: flattened_id, cross_replica, cross_partition or "
                "cross_replica_and_partition",
                value)) {
    return mlir::failure();
  }
  mode = GroupModeAttr::get(parser.getContext(), *value);
  return mlir::success();
}

void printGroupModeName(mlir::OpAsmPrinter& printer, mlir::Operation*,
                        GroupModeAttr mode) {
  printer << "mode " << stringifyGroupMode(mode.getValue());
}

}  // namespace thunky::compiler
