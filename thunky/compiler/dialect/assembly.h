// Parts of the operations' text form.
#ifndef THUNKY_COMPILER_DIALECT_ASSEMBLY_H_
#define THUNKY_COMPILER_DIALECT_ASSEMBLY_H_

#include "mlir/IR/OpImplementation.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

// A parse function and a print function for each custom<...> of the operations'
// formats, as mlir-tblgen wants them.
namespace thunky::compiler {

using UnresolvedOperands = llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand>;
using Types = llvm::SmallVectorImpl<mlir::Type>;

// (%0 : <4>, %1 : <8>), or with the types in full
mlir::ParseResult parseBuffers(mlir::OpAsmParser& parser, UnresolvedOperands& buffers,
                               Types& types);
void printBuffers(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                  mlir::OperandRange buffers, mlir::TypeRange types);

// (%0 read : <4>, %1 write_all : <8>)
mlir::ParseResult parseKernelBuffers(mlir::OpAsmParser& parser,
                                     UnresolvedOperands& buffers, Types& types,
                                     mlir::ArrayAttr& access);
void printKernelBuffers(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                        mlir::OperandRange buffers, mlir::TypeRange types,
                        mlir::ArrayAttr access);

// (operands) -> (results)
mlir::ParseResult parseCallBuffers(mlir::OpAsmParser& parser, UnresolvedOperands& buffers,
                                   Types& types, mlir::IntegerAttr& operands,
                                   mlir::IntegerAttr& results);
void printCallBuffers(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                      mlir::OperandRange buffers, mlir::TypeRange types,
                      mlir::IntegerAttr operands, mlir::IntegerAttr results);

// [4, 1, 1]
mlir::ParseResult parseDimensions(mlir::OpAsmParser& parser,
                                  mlir::DenseI64ArrayAttr& dimensions);
void printDimensions(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                     mlir::DenseI64ArrayAttr dimensions);
mlir::ParseResult parseOptionalDimensions(mlir::OpAsmParser& parser,
                                          mlir::DenseI64ArrayAttr& dimensions);
void printOptionalDimensions(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                             mlir::DenseI64ArrayAttr dimensions);

// 0x3f800000; decimal numbers parse too.
mlir::ParseResult parseBitPattern(mlir::OpAsmParser& parser, mlir::IntegerAttr& value);
void printBitPattern(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                     mlir::IntegerAttr value);

// text "fft_thunk { ... }", or bytes "..." where text would lose something.
mlir::ParseResult parsePayload(mlir::OpAsmParser& parser, mlir::StringAttr& payload);
void printPayload(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                  mlir::StringAttr payload);

// 3, or 3 communication
mlir::ParseResult parseStream(mlir::OpAsmParser& parser, mlir::IntegerAttr& id,
                              mlir::BoolAttr& isCommunication);
void printStream(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::IntegerAttr id,
                 mlir::BoolAttr isCommunication);

// sum, prod (product is the same), min, max
mlir::ParseResult parseReductionName(mlir::OpAsmParser& parser, ReductionAttr& kind);
void printReductionName(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                        ReductionAttr kind);

// mode cross_replica; without it, flattened_id
mlir::ParseResult parseGroupModeName(mlir::OpAsmParser& parser, GroupModeAttr& mode);
void printGroupModeName(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                        GroupModeAttr mode);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_ASSEMBLY_H_
