#include "thunky/compiler/transforms/assign_scratch.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "llvm/ADT/BitVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/transforms/arena_layout.h"
#include "thunky/compiler/transforms/lifetimes.h"
#include "thunky/compiler/transforms/program_timeline.h"
#include "thunky/compiler/transforms/splice.h"
#include "thunky/compiler/translate/origin_allocations.h"
#include "thunky/compiler/translate/origin_program.h"
#include "thunky/compiler/translate/program_parts.h"
#include "thunky/compiler/translate/unknown_thunks.h"

namespace thunky::compiler {
namespace {

class ScratchAssignment {
 public:
  ScratchAssignment(mlir::ModuleOp module, mlir::func::FuncOp main)
      : module_(module), main_(main) {}

  mlir::FailureOr<ScratchReport> run() {
    if (mlir::failed(checkNumbersMayChange()) || mlir::failed(findScratch())) {
      return mlir::failure();
    }
    const int64_t arena = layOutArena(buffers_);
    if (arena >= report_.bytesBefore) return report_;
    report_.bytesAfter = arena;
    if (mlir::failed(emptyOldAllocations())) return mlir::failure();
    replaceScratch(arena);
    return report_;
  }

 private:
  llvm::LogicalResult checkNumbersMayChange() {
    CallThunkProtoOp unknown = findUnknownThunk(main_);
    if (!unknown && !module_->hasAttr(kKeepAllocations)) return mlir::success();
    mlir::Operation* place = unknown ? unknown.getOperation() : main_.getOperation();
    mlir::InFlightDiagnostic diagnostic =
        place->emitError("scratch cannot share memory: ");
    if (unknown) {
      diagnostic << "the thunk '" << unknown.getKernelName()
                 << "' is of a kind this build does not know and may refer to any "
                    "allocation by its number";
    } else {
      diagnostic << "allocations must keep the numbers of the imported program ("
                 << kKeepAllocations << ")";
    }
    return diagnostic;
  }

  // What no thunk uses costs nothing, and stays.
  llvm::LogicalResult findScratch() {
    llvm::SmallVector<unsigned> candidates;
    for (unsigned i = 0; i < main_.getNumArguments(); ++i) {
      if (main_.getArgAttr(i, kScratch)) candidates.push_back(i);
    }
    ProgramTimeline timeline;
    if (mlir::failed(timeline.build(main_, candidates))) return mlir::failure();
    for (const auto& [i, argument] : llvm::enumerate(candidates)) {
      const llvm::ArrayRef<BufferUse> uses = timeline.usesOf(i);
      if (uses.empty()) continue;
      const int64_t size =
          llvm::cast<BufferType>(main_.getArgument(argument).getType()).getSize();
      if (mlir::failed(count(argument, size))) return mlir::failure();
      scratch_.push_back(argument);
      buffers_.push_back({size, lifetimeOf(timeline, uses), 0});
    }
    return mlir::success();
  }

  llvm::LogicalResult count(unsigned argument, int64_t size) {
    int64_t end = 0;
    if (__builtin_add_overflow(size, kArenaAlignment - 1, &end) ||
        __builtin_add_overflow(report_.bytesBefore,
                               end / kArenaAlignment * kArenaAlignment,
                               &report_.bytesBefore)) {
      return main_.emitError("scratch up to argument ")
             << argument << " has more than 2^63 bytes together; no device has so many";
    }
    report_.bytesAfter = report_.bytesBefore;
    ++report_.buffers;
    return mlir::success();
  }

  // Of an imported program, which would allocate them beside what replaces them.
  llvm::LogicalResult emptyOldAllocations() {
    if (!module_->hasAttr(kOrigin)) return mlir::success();
    std::set<int64_t> numbers;
    for (const unsigned argument : scratch_) {
      const auto number =
          main_.getArgAttrOfType<mlir::IntegerAttr>(argument, kOriginAllocation);
      if (number) numbers.insert(number.getInt());
    }
    if (numbers.empty()) return mlir::success();
    mlir::FailureOr<wire::ModuleOriginProto> origin = readOrigin(module_);
    if (mlir::failed(origin)) return mlir::failure();
    emptyAllocations(*origin, numbers);
    writeOrigin(module_, *origin);
    return mlir::success();
  }

  void replaceScratch(int64_t size) {
    const mlir::Location where = main_.getLoc();
    mlir::Value arena = addScratch(main_, size, where, "");
    mlir::OpBuilder builder(main_.getContext());
    mlir::Block& body = main_.getBody().front();
    mlir::Block::iterator start = body.begin();
    while (llvm::isa<ConstantOp>(*start)) ++start;  // they stay at the start
    builder.setInsertionPoint(&body, start);
    llvm::BitVector gone(main_.getNumArguments());
    for (const auto& [argument, buffer] : llvm::zip_equal(scratch_, buffers_)) {
      replace(main_.getArgument(argument), arena, buffer.offset, builder);
      gone.set(argument);
    }
    const llvm::LogicalResult erased = main_.eraseArguments(gone);
    (void)erased;
    assert(mlir::succeeded(erased));
  }

  // Slices of the argument become slices of the arena, so that slices get no deeper.
  static void replace(mlir::BlockArgument argument, mlir::Value arena, int64_t offset,
                      mlir::OpBuilder& builder) {
    for (mlir::Operation* user : llvm::to_vector(argument.getUsers())) {
      auto slice = llvm::dyn_cast<SliceBufferOp>(user);
      if (!slice) continue;
      slice.getSourceMutable().assign(arena);
      slice.setOffset(slice.getOffset() + offset);
    }
    if (argument.use_empty()) return;
    mlir::Value part = arena;
    if (arena.getType() != argument.getType()) {
      part = SliceBufferOp::create(builder, argument.getLoc(), argument.getType(), arena,
                                   builder.getI64IntegerAttr(offset));
    }
    argument.replaceAllUsesWith(part);
  }

  mlir::ModuleOp module_;
  mlir::func::FuncOp main_;
  std::vector<unsigned> scratch_;     // numbers of arguments
  std::vector<ArenaBuffer> buffers_;  // one for each
  ScratchReport report_;
};

}  // namespace

mlir::FailureOr<ScratchReport> assignScratch(mlir::ModuleOp module) {
  const mlir::FailureOr<mlir::func::FuncOp> main = findMain(module);
  if (mlir::failed(main)) return mlir::failure();
  return ScratchAssignment(module, *main).run();
}

}  // namespace thunky::compiler
