// Branches, loops and asynchronous work.
#include <string>

#include "thunky/frontend/operations.h"
#include "thunky/frontend/trace.h"

namespace thunky {

using frontend::Trace;

namespace {

void check_scalar(const Ref& ref, std::string_view operation, std::string_view what,
                  ElementType element, std::string_view hint,
                  const std::source_location& where) {
  if (ref.type() == Type(element)) return;
  throw Error(ErrorCode::invalid_argument,
              std::string(operation) + ": the " + std::string(what) + " is " +
                  ref.type().to_string() + "; " + Type(element).to_string() +
                  " is needed" + std::string(hint),
              where);
}

void branch(Trace& trace, mlir::Value index, std::initializer_list<Region> branches,
            const std::source_location& where) {
  auto op = compiler::CondOp::create(trace.builder(), trace.location(where), index,
                                     mlir::ArrayAttr(), mlir::ArrayAttr(),
                                     static_cast<unsigned>(branches.size()));
  unsigned number = 0;
  for (const Region& body : branches) {
    trace.fill(op, op->getRegion(number++), body);
  }
  trace.verify(op, where);
}

}  // namespace

void cond(const Ref& predicate, const Region& if_true, const Region& if_false,
          const std::source_location& where) {
  Trace& trace = Trace::current("cond", where);
  check_scalar(predicate, "cond", "predicate", boolean,
               "; switch_ takes the number of a branch", where);
  branch(trace, trace.value(predicate, "cond", where), {if_true, if_false}, where);
}

void switch_(const Ref& index, std::initializer_list<Region> branches,
             const std::source_location& where) {
  Trace& trace = Trace::current("switch_", where);
  if (branches.size() == 0) {
    throw Error(ErrorCode::invalid_argument,
                "switch_: there is no branch; at least one is needed", where);
  }
  if (index.type() != Type(boolean)) {
    check_scalar(index, "switch_", "index", i32, ", or pred[] with two branches", where);
  }
  branch(trace, trace.value(index, "switch_", where), branches, where);
}

void while_loop(const Ref& condition, const Region& condition_function,
                const Region& body, const WhileOptions& options,
                const std::source_location& where) {
  Trace& trace = Trace::current("while_loop", where);
  check_scalar(condition, "while_loop", "condition", boolean, "", where);
  const mlir::Value buffer = trace.value(condition, "while_loop", where);
  mlir::IntegerAttr trips;
  if (options.trip_count) {
    trips = trace.builder().getI64IntegerAttr(*options.trip_count);
  }
  auto op =
      compiler::WhileOp::create(trace.builder(), trace.location(where), buffer, trips);
  trace.fill(op, op.getCond(), condition_function);
  trace.fill(op, op.getBody(), body);
  trace.verify(op, where);
}

Token async_start(const Region& body, int64_t stream_id, StreamKind kind,
                  const std::source_location& where) {
  Trace& trace = Trace::current("async_start", where);
  if (stream_id < 0) {
    throw Error(ErrorCode::invalid_argument,
                "async_start: stream " + std::to_string(stream_id) +
                    "; streams are numbered from 0",
                where);
  }
  mlir::OpBuilder& builder = trace.builder();
  auto op = compiler::AsyncStartOp::create(
      builder, trace.location(where), compiler::TokenType::get(trace.context()),
      builder.getI64IntegerAttr(stream_id),
      builder.getBoolAttr(kind == StreamKind::kCommunication));
  trace.fill(op, op.getBody(), body);
  // Whether the token is joined shows later.
  return trace.add_token(op.getToken());
}

void async_done(const Token& token, const std::source_location& where) {
  Trace& trace = Trace::current("async_done", where);
  trace.emit<compiler::AsyncDoneOp>(where, trace.location(where),
                                    trace.token(token, where));
}

}  // namespace thunky
