// The text of operations with regions, written by hand for one reason. An operation
// outside a region may name, ahead of it, a value that the region defines. When the
// operation with the region is then found to be wrong, MLIR's parser cuts such uses off
// before it frees the region, but only in regions that OperationState has. The parsers
// that are generated from a format put them there last.
#include "thunky/compiler/dialect/assembly.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {
namespace {

template <typename Op>
mlir::ParseResult parseBody(mlir::OpAsmParser& parser, mlir::OperationState& result) {
  mlir::Region* region = result.addRegion();
  if (parser.parseRegion(*region)) return mlir::failure();
  Op::ensureTerminator(*region, parser.getBuilder(), result.location);
  return mlir::success();
}

// The end of a region is printed where it says more than that it is the end.
void printBody(mlir::OpAsmPrinter& printer, mlir::Region& region) {
  mlir::Operation* end = region.empty() ? nullptr : region.front().getTerminator();
  const bool plain = end != nullptr && end->getAttrDictionary().empty();
  printer << ' ';
  printer.printRegion(region, /*printEntryBlockArgs=*/true,
                      /*printBlockTerminators=*/!plain);
}

template <typename Op>
mlir::ParseResult parseAttributes(mlir::OpAsmParser& parser,
                                  mlir::OperationState& result) {
  const llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes)) return mlir::failure();
  return Op::verifyInherentAttrs(result.name, result.attributes, [&] {
    return parser.emitError(place) << "'" << result.name.getStringRef() << "' op ";
  });
}

// %0 : <4>
mlir::ParseResult parseBuffer(mlir::OpAsmParser& parser, mlir::OperationState& result) {
  mlir::OpAsmParser::UnresolvedOperand buffer;
  BufferType type;
  return mlir::failure(parser.parseOperand(buffer) || parser.parseColon() ||
                       parser.parseCustomTypeWithFallback(type) ||
                       parser.resolveOperand(buffer, type, result.operands));
}

void printBuffer(mlir::OpAsmPrinter& printer, mlir::Value buffer) {
  printer << ' ' << buffer << " : ";
  printer.printStrippedAttrOrType(llvm::cast<BufferType>(buffer.getType()));
}

}  // namespace

mlir::ParseResult CondOp::parse(mlir::OpAsmParser& parser, mlir::OperationState& result) {
  if (parseBuffer(parser, result)) return mlir::failure();
  do {
    if (parseBody<CondOp>(parser, result)) return mlir::failure();
  } while (parser.parseOptionalComma().succeeded());
  return parseAttributes<CondOp>(parser, result);
}

void CondOp::print(mlir::OpAsmPrinter& printer) {
  printBuffer(printer, getIndex());
  llvm::interleave(
      getBranches(), [&](mlir::Region& branch) { printBody(printer, branch); },
      [&] { printer << ','; });
  printer.printOptionalAttrDict((*this)->getAttrs());
}

mlir::ParseResult WhileOp::parse(mlir::OpAsmParser& parser,
                                 mlir::OperationState& result) {
  if (parseBuffer(parser, result)) return mlir::failure();
  if (parser.parseOptionalKeyword("trip_count").succeeded()) {
    mlir::IntegerAttr& count = result.getOrAddProperties<Properties>().trip_count;
    if (parser.parseAttribute(count, parser.getBuilder().getI64Type())) {
      return mlir::failure();
    }
  }
  return mlir::failure(
      parser.parseKeyword("cond") || parseBody<WhileOp>(parser, result) ||
      parser.parseKeyword("body") || parseBody<WhileOp>(parser, result) ||
      parseAttributes<WhileOp>(parser, result));
}

void WhileOp::print(mlir::OpAsmPrinter& printer) {
  printBuffer(printer, getCondition());
  if (const mlir::IntegerAttr count = getTripCountAttr()) {
    printer << " trip_count ";
    printer.printAttributeWithoutType(count);
  }
  printer << " cond";
  printBody(printer, getCond());
  printer << " body";
  printBody(printer, getBody());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getTripCountAttrName()});
}

mlir::ParseResult AsyncStartOp::parse(mlir::OpAsmParser& parser,
                                      mlir::OperationState& result) {
  Properties& properties = result.getOrAddProperties<Properties>();
  result.addTypes(TokenType::get(parser.getContext()));
  return mlir::failure(
      parser.parseKeyword("stream") ||
      parseStream(parser, properties.stream_id, properties.is_communication) ||
      parseBody<AsyncStartOp>(parser, result) ||
      parseAttributes<AsyncStartOp>(parser, result));
}

void AsyncStartOp::print(mlir::OpAsmPrinter& printer) {
  printer << " stream ";
  printStream(printer, *this, getStreamIdAttr(), getIsCommunicationAttr());
  printBody(printer, getBody());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getStreamIdAttrName(), getIsCommunicationAttrName()});
}

mlir::ParseResult CollectiveGroupOp::parse(mlir::OpAsmParser& parser,
                                           mlir::OperationState& result) {
  return mlir::failure(parseBody<CollectiveGroupOp>(parser, result) ||
                       parseAttributes<CollectiveGroupOp>(parser, result));
}

void CollectiveGroupOp::print(mlir::OpAsmPrinter& printer) {
  printBody(printer, getBody());
  printer.printOptionalAttrDict((*this)->getAttrs());
}

}  // namespace thunky::compiler
