// Operations that fill and copy, and the memory they work on.
#include <string>

#include "thunky/frontend/operations.h"
#include "thunky/frontend/trace.h"

namespace thunky {

using frontend::Trace;

void memzero(const Ref& destination, const std::source_location& where) {
  Trace& trace = Trace::current("memzero", where);
  const mlir::Value buffer = trace.value(destination, "memzero", where);
  trace.emit<compiler::MemzeroOp>(where, trace.location(where), buffer, mlir::ArrayAttr(),
                                  mlir::ArrayAttr());
}

void memset_bits(const Ref& destination, uint32_t bits,
                 const std::source_location& where) {
  Trace& trace = Trace::current("memset", where);
  if (destination.element().bits() != 32) {
    throw Error(ErrorCode::invalid_argument,
                "memset: " + destination.type().to_string() + " has elements of " +
                    std::to_string(destination.element().bits()) +
                    " bits; elements of 32 bits are needed",
                where);
  }
  const mlir::Value buffer = trace.value(destination, "memset", where);
  trace.emit<compiler::Memset32Op>(
      where, trace.location(where), buffer,
      trace.builder().getI32IntegerAttr(static_cast<int32_t>(bits)), mlir::TypeAttr());
}

void copy(const Ref& source, const Ref& destination, const std::source_location& where) {
  Trace& trace = Trace::current("copy", where);
  const mlir::Value from = trace.value(source, "copy", where);
  const mlir::Value to = trace.value(destination, "copy", where);
  const bool same =
      source.same_root(destination) && source.byte_offset() == destination.byte_offset();
  if (same && source.byte_size() == destination.byte_size()) return;
  trace.emit<compiler::CopyOp>(where, trace.location(where), from, to, mlir::UnitAttr(),
                               mlir::ArrayAttr(), mlir::ArrayAttr());
}

Ref empty_ref(const Type& type, std::string_view name,
              const std::source_location& where) {
  return Trace::current("empty_ref", where).add_scratch(type, name, where);
}

Ref constant_bytes(const Type& type, std::string_view bytes,
                   const std::source_location& where) {
  return Trace::current("constant", where).add_constant(type, std::string(bytes), where);
}

namespace {

template <typename Op>
void device_id(std::string_view name, const Ref& destination,
               const std::source_location& where) {
  Trace& trace = Trace::current(name, where);
  trace.emit<Op>(where, trace.location(where), trace.value(destination, name, where));
}

}  // namespace

void partition_id(const Ref& destination, const std::source_location& where) {
  device_id<compiler::PartitionIdOp>("partition_id", destination, where);
}

void replica_id(const Ref& destination, const std::source_location& where) {
  device_id<compiler::ReplicaIdOp>("replica_id", destination, where);
}

}  // namespace thunky
