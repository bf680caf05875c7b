// A program in the order in which its work is issued.
#ifndef THUNKY_COMPILER_ANALYSIS_PROGRAM_WALK_H_
#define THUNKY_COMPILER_ANALYSIS_PROGRAM_WALK_H_

#include "llvm/ADT/ArrayRef.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {

// Regions nested deeper than this are refused.
inline constexpr int kMaxWalkDepth = 256;

// One of the accesses of an operation: number `index` of those that its getAccesses
// gives.
struct StepAccess {
  mlir::Operation* op;
  unsigned index;
  BufferAccess access;
};

// Told of a program, operation by operation, each once. Calls are nested as regions are.
class ProgramObserver {
 public:
  virtual ~ProgramObserver() = default;

  // What one thunk does, or the members of a group together, in no order. Ranges of no
  // bytes are left out.
  virtual void step(llvm::ArrayRef<StepAccess> accesses) = 0;

  // A cond: one of its paths is taken.
  virtual void beginChoice(CondOp cond) = 0;
  virtual void beginPath() = 0;
  virtual void endPath() = 0;
  virtual void endChoice() = 0;

  // A loop that may run. Between beginLoop and beginBody stands the condition region,
  // which runs at least once and again after each round of the body; with a trip count
  // there is none. `certain`: the body runs at least once; `repeats`: it may run again.
  virtual void beginLoop() = 0;
  virtual void beginBody(bool certain, bool repeats) = 0;
  virtual void endBody() = 0;

  virtual void beginAsync(AsyncStartOp start) = 0;
  virtual void endAsync(AsyncStartOp start) = 0;
  virtual void join(AsyncDoneOp done) = 0;

  // Whether the observer has had enough; the walk ends early.
  virtual bool stopped() const { return false; }
};

// Shows the program to each of the observers that has not stopped. Fails with a
// diagnostic for a call, which must have been inlined, and for regions nested deeper
// than kMaxWalkDepth.
llvm::LogicalResult walkProgram(mlir::func::FuncOp main,
                                llvm::ArrayRef<ProgramObserver*> observers);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_ANALYSIS_PROGRAM_WALK_H_
