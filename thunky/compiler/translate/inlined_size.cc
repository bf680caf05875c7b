#include "thunky/compiler/translate/inlined_size.h"

#include "mlir/IR/SymbolTable.h"

namespace thunky::compiler {
namespace {

class SizeCounter {
 public:
  explicit SizeCounter(mlir::func::FuncOp main)
      : symbols_(main->getParentOfType<mlir::ModuleOp>()) {}

  mlir::FailureOr<int64_t> sizeOf(mlir::func::FuncOp function, int depth) {
    // Nothing while the function is being counted.
    const auto [entry, added] = sizes_.try_emplace(function, std::nullopt);
    if (!added) {
      if (entry->second.has_value()) return *entry->second;
      return function.emitOpError(
          "calls itself, directly or through others; a program is inlined, and this "
          "would not end");
    }
    if (depth > kMaxCallDepth) {
      return function.emitOpError("is called through more than ")
             << kMaxCallDepth << " functions; at most so many calls may be nested";
    }
    int64_t size = 0;
    const mlir::WalkResult result = function.walk([&](mlir::Operation* op) {
      ++size;
      auto call = llvm::dyn_cast<mlir::func::CallOp>(op);
      // A call of nothing is left for whoever needs to inline it.
      auto callee =
          call ? symbols_.lookup<mlir::func::FuncOp>(call.getCallee()) : nullptr;
      if (!callee) return mlir::WalkResult::advance();
      const mlir::FailureOr<int64_t> inside = sizeOf(callee, depth + 1);
      if (mlir::failed(inside)) return mlir::WalkResult::interrupt();
      size += *inside;
      if (size <= kMaxInlinedOperations) return mlir::WalkResult::advance();
      function.emitOpError("has more than ")
          << kMaxInlinedOperations << " operations once its calls are inlined; at most "
          << "so many are allowed";
      return mlir::WalkResult::interrupt();
    });
    if (result.wasInterrupted()) return mlir::failure();
    sizes_[function] = size;
    return size;
  }

 private:
  mlir::SymbolTable symbols_;
  llvm::DenseMap<mlir::Operation*, std::optional<int64_t>> sizes_;
};

}  // namespace

llvm::LogicalResult checkInlinedSize(mlir::func::FuncOp main) {
  return mlir::success(mlir::succeeded(SizeCounter(main).sizeOf(main, 0)));
}

}  // namespace thunky::compiler
