#include "thunky/compiler/transforms/splice.h"

#include <utility>

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/transforms/code_merger.h"
#include "thunky/compiler/transforms/constant_merger.h"
#include "thunky/compiler/translate/program_parts.h"
#include "thunky/compiler/translate/unknown_thunks.h"

namespace thunky::compiler {

namespace {

llvm::SmallVector<mlir::BlockArgument> appendScratch(
    mlir::func::FuncOp main, llvm::ArrayRef<int64_t> sizes, mlir::Location where,
    llvm::ArrayRef<mlir::NamedAttribute> more) {
  mlir::Builder builder(main.getContext());
  llvm::SmallVector<mlir::NamedAttribute> attributes(more);
  attributes.push_back(builder.getNamedAttr(kScratch, builder.getUnitAttr()));
  llvm::SmallVector<mlir::Type> types;
  for (const int64_t size : sizes) {
    types.push_back(BufferType::get(main.getContext(), size));
  }
  const unsigned first = main.getNumArguments();
  const llvm::SmallVector<unsigned> places(sizes.size(), first);
  const llvm::SmallVector<mlir::DictionaryAttr> dictionaries(
      sizes.size(), builder.getDictionaryAttr(attributes));
  const llvm::SmallVector<mlir::Location> locations(sizes.size(), where);
  // A func.func takes any arguments.
  const llvm::LogicalResult added =
      main.insertArguments(places, types, dictionaries, locations);
  (void)added;
  assert(mlir::succeeded(added));
  return llvm::SmallVector<mlir::BlockArgument>(main.getArguments().drop_front(first));
}

}  // namespace

mlir::BlockArgument addScratch(mlir::func::FuncOp main, int64_t size,
                               mlir::Location where, llvm::StringRef name) {
  mlir::Builder builder(main.getContext());
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  if (!name.empty()) {
    attributes.push_back(builder.getNamedAttr(kName, builder.getStringAttr(name)));
  }
  return appendScratch(main, size, where, attributes).front();
}

llvm::SmallVector<mlir::BlockArgument> addScratch(mlir::func::FuncOp main,
                                                  llvm::ArrayRef<int64_t> sizes,
                                                  mlir::Location where) {
  if (sizes.empty()) return {};
  return appendScratch(main, sizes, where, {});
}

struct ModuleSplicer::Contents {
  CodeContents code;
  ConstantContents constants;
};

// One merge.
class ModuleSplicer::Splice {
 public:
  Splice(ModuleSplicer& splicer, mlir::OpBuilder& builder, mlir::Location callSite,
         mlir::ModuleOp callee, llvm::ArrayRef<mlir::Value> operands)
      : splicer_(splicer),
        builder_(builder),
        callSite_(callSite),
        callee_(callee),
        operands_(operands) {}

  mlir::FailureOr<llvm::SmallVector<mlir::Value>> run() {
    if (mlir::failed(findHost()) || mlir::failed(prepareCallee()) ||
        mlir::failed(checkOperands())) {
      return mlir::failure();
    }
    CodeMerger code(splicer_.contents_->code, splicer_.host_, callee_);
    ConstantMerger constants(splicer_.contents_->constants, hostMain_);
    mlir::AttrTypeReplacer symbols;
    symbols.addReplacement(
        [&](mlir::FlatSymbolRefAttr symbol) { return code.merged(symbol); });
    const llvm::SmallVector<mlir::Value> buffers = bindArguments();
    passConstants();
    for (mlir::Operation& op : calleeMain_.getBody().front().without_terminator()) {
      if (auto constant = llvm::dyn_cast<ConstantOp>(op)) {
        if (op.use_empty()) continue;
        mapping_.map(constant.getResult(),
                     constants.merged(constant, calledLocation(op.getLoc())));
        continue;
      }
      settle(builder_.clone(op, mapping_), symbols, constants);
    }
    return buffers;
  }

 private:
  mlir::InFlightDiagnostic fail() { return mlir::emitError(callSite_); }

  llvm::LogicalResult findHost() {
    mlir::Block* block = builder_.getInsertionBlock();
    mlir::Operation* at = block != nullptr ? block->getParentOp() : nullptr;
    while (at != nullptr && !llvm::isa<mlir::func::FuncOp>(at)) at = at->getParentOp();
    hostMain_ = llvm::dyn_cast_or_null<mlir::func::FuncOp>(at);
    if (!hostMain_ || hostMain_->getParentOp() != splicer_.host_ ||
        hostMain_.getSymName() != "main") {
      return fail() << "a program is merged outside of @main of the module that takes "
                       "it; it must be inside";
    }
    if (!splicer_.host_->hasAttr(kKeepAllocations)) return mlir::success();
    mlir::InFlightDiagnostic diagnostic =
        fail() << "nothing can be merged into a program whose allocations must keep "
                  "their numbers ("
               << kKeepAllocations << ")";
    nameUnknownThunk(diagnostic, splicer_.host_);
    return diagnostic;
  }

  // False when there is none.
  static bool nameUnknownThunk(mlir::InFlightDiagnostic& diagnostic,
                               mlir::ModuleOp module) {
    CallThunkProtoOp unknown = findUnknownThunk(module);
    if (!unknown) return false;
    diagnostic << ": the thunk '" << unknown.getKernelName()
               << "' is of a kind this build does not know and may refer to any of them";
    diagnostic.attachNote(unknown.getLoc()) << "the thunk";
    return true;
  }

  // Its @main, without calls.
  llvm::LogicalResult prepareCallee() {
    mlir::FailureOr<mlir::func::FuncOp> main = findMain(callee_);
    if (mlir::failed(main)) return mlir::failure();
    if (hasCalls(*main)) {
      inlined_ = callee_.clone();
      callee_ = *inlined_;
      main = inlinedMain(callee_);
      if (mlir::failed(main)) return mlir::failure();
    }
    calleeMain_ = *main;
    mlir::Operation* left = nullptr;
    calleeMain_.walk([&](mlir::func::CallOp call) { left = call; });
    if (left != nullptr) {
      return left->emitOpError(
          "is left after inlining; a program that is merged into another one must have "
          "a body for everything it calls");
    }
    const bool kept = callee_->hasAttr(kKeepAllocations);
    if (!kept && !findUnknownThunk(calleeMain_)) return mlir::success();
    mlir::InFlightDiagnostic diagnostic =
        fail() << "a program whose allocations must keep their numbers";
    if (kept) diagnostic << " (" << kKeepAllocations << ")";
    diagnostic << " cannot be merged into another one";
    nameUnknownThunk(diagnostic, callee_);
    return diagnostic;
  }

  llvm::LogicalResult checkOperands() {
    const size_t count = calleeMain_.getNumArguments();
    if (operands_.size() != count) {
      return fail() << "a program of " << count << " arguments is given "
                    << operands_.size() << " buffers; one for each is needed";
    }
    for (size_t i = 0; i < count; ++i) {
      const mlir::Type wanted = calleeMain_.getArgument(i).getType();
      if (!operands_[i] || operands_[i].getType() == wanted) continue;
      return fail() << "argument " << i << " of the program is a " << wanted
                    << " and is given a " << operands_[i].getType()
                    << "; sizes must be equal";
    }
    return mlir::success();
  }

  // The buffer of each argument; new scratch where none is given.
  llvm::SmallVector<mlir::Value> bindArguments() {
    llvm::SmallVector<int64_t> sizes;
    for (const auto& [operand, type] :
         llvm::zip_equal(operands_, calleeMain_.getArgumentTypes())) {
      if (!operand) sizes.push_back(llvm::cast<BufferType>(type).getSize());
    }
    const llvm::SmallVector<mlir::BlockArgument> scratch =
        addScratch(hostMain_, sizes, callSite_);
    const auto* next = scratch.begin();
    llvm::SmallVector<mlir::Value> buffers;
    for (const mlir::Value operand : operands_) {
      buffers.push_back(operand ? operand : mlir::Value(*next++));
    }
    mapping_.map(calleeMain_.getArguments(), buffers);
    return buffers;
  }

  // Constants stand before what uses them.
  void passConstants() {
    mlir::Block* block = builder_.getInsertionBlock();
    mlir::Block::iterator at = builder_.getInsertionPoint();
    while (at != block->end() && llvm::isa<ConstantOp>(*at)) ++at;
    builder_.setInsertionPoint(block, at);
  }

  // Makes a copied operation, and what is in its regions, one of the host.
  void settle(mlir::Operation* copy, mlir::AttrTypeReplacer& symbols,
              ConstantMerger& constants) {
    llvm::SmallVector<ConstantOp> nested;
    copy->walk([&](mlir::Operation* op) {
      op->setLoc(calledLocation(op->getLoc()));
      if (auto constant = llvm::dyn_cast<ConstantOp>(op))
        return nested.push_back(constant);
      symbols.replaceElementsIn(op);
    });
    for (ConstantOp constant : nested) {
      constant.getResult().replaceAllUsesWith(
          constants.merged(constant, constant.getLoc()));
      constant.erase();
    }
  }

  mlir::Location calledLocation(mlir::Location location) const {
    return mlir::CallSiteLoc::get(location, callSite_);
  }

  ModuleSplicer& splicer_;
  mlir::OpBuilder& builder_;
  mlir::Location callSite_;
  mlir::ModuleOp callee_;
  llvm::ArrayRef<mlir::Value> operands_;
  mlir::OwningOpRef<mlir::ModuleOp> inlined_;  // where the callee has calls
  mlir::func::FuncOp hostMain_;
  mlir::func::FuncOp calleeMain_;
  mlir::IRMapping mapping_;
};

ModuleSplicer::ModuleSplicer(mlir::ModuleOp host)
    : host_(host), contents_(std::make_unique<Contents>()) {}

ModuleSplicer::~ModuleSplicer() = default;

mlir::FailureOr<llvm::SmallVector<mlir::Value>> ModuleSplicer::splice(
    mlir::OpBuilder& builder, mlir::Location callSite, mlir::ModuleOp callee,
    llvm::ArrayRef<mlir::Value> operands) {
  return Splice(*this, builder, callSite, callee, operands).run();
}

}  // namespace thunky::compiler
