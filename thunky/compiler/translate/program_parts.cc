#include "thunky/compiler/translate/program_parts.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/constant_value.h"
#include "thunky/compiler/translate/inlined_size.h"

namespace thunky::compiler {
namespace {

// A splat of a few characters can ask for any amount of memory.
constexpr int64_t kMaxConstantBytes = int64_t{1} << 30;

// A function that is called twice brings its constants twice. Equal ones become one, at
// the start of the program where every region sees it.
void shareConstants(mlir::func::FuncOp main) {
  llvm::SmallVector<ConstantOp> constants;
  main.walk([&](ConstantOp op) { constants.push_back(op); });
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>, ConstantOp> first;
  for (ConstantOp op : constants) {
    const auto [entry, added] =
        first.try_emplace({op->getAttrDictionary(), op.getResult().getType()}, op);
    if (added) continue;
    entry->second->moveBefore(&main.getBody().front().front());
    op.getResult().replaceAllUsesWith(entry->second.getResult());
    op.erase();
  }
}

// "thunky_const_N" for those without a name, counting those only.
mlir::FailureOr<std::vector<ProgramConstant>> constantsOf(mlir::func::FuncOp main) {
  std::vector<ProgramConstant> constants;
  std::set<std::string> names;
  int64_t total = 0;
  const mlir::WalkResult result =
      main.walk<mlir::WalkOrder::PreOrder>([&](ConstantOp op) {
        const int64_t size = constantSize(op.getValue()).value_or(0);
        if (size > kMaxConstantBytes - total) {
          op.emitOpError("makes the constants longer than ")
              << kMaxConstantBytes << " bytes together";
          return mlir::WalkResult::interrupt();
        }
        total += size;
        std::optional<std::string> bytes = constantBytes(op.getValue());
        if (!bytes.has_value()) {
          op.emitOpError(
              "has a value whose bytes are not in the file, which was written "
              "with large blobs left out");
          return mlir::WalkResult::interrupt();
        }
        const int64_t bufferSize =
            llvm::cast<BufferType>(op.getResult().getType()).getSize();
        std::optional<int64_t> origin;
        if (auto number = op->getAttrOfType<mlir::IntegerAttr>(kOriginAllocation)) {
          origin = number.getInt();
        }
        constants.push_back(
            {op, bufferSize, op.getName().value_or("").str(), *std::move(bytes), origin});
        if (!constants.back().name.empty() &&
            !names.insert(constants.back().name).second) {
          op.emitOpError("has the name '")
              << constants.back().name << "' of another constant";
          return mlir::WalkResult::interrupt();
        }
        return mlir::WalkResult::advance();
      });
  if (result.wasInterrupted()) return mlir::failure();
  int64_t number = 0;
  for (ProgramConstant& constant : constants) {
    while (constant.name.empty()) {
      std::string name = absl::StrCat("thunky_const_", number++);
      if (names.insert(name).second) constant.name = std::move(name);
    }
  }
  return constants;
}

}  // namespace

mlir::FailureOr<mlir::func::FuncOp> findMain(mlir::ModuleOp module) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main || main.isExternal() || !main.isPublic()) {
    module.emitError("has no public function @main with a body; a program is one");
    return mlir::failure();
  }
  if (main.getNumResults() != 0) {
    main.emitError("@main returns ")
        << main.getNumResults() << " values; results are written in place";
    return mlir::failure();
  }
  for (const auto& [i, type] : llvm::enumerate(main.getArgumentTypes())) {
    if (llvm::isa<BufferType>(type)) continue;
    main.emitError("argument ")
        << i << " of @main is a " << type << "; buffers are allowed";
    return mlir::failure();
  }
  if (!llvm::hasSingleElement(main.getBody())) {
    main.emitError("@main has several blocks; thunky.cond and thunky.while branch");
    return mlir::failure();
  }
  return main;
}

bool hasCalls(mlir::func::FuncOp main) {
  return main.walk([](mlir::func::CallOp) { return mlir::WalkResult::interrupt(); })
      .wasInterrupted();
}

void numberAllocations(ProgramParts& parts) {
  parts.argumentAllocations.assign(parts.argumentSizes.size(), 0);
  int64_t next = 0;
  const auto kept = [&](unsigned argument) -> std::optional<int64_t> {
    const auto number =
        parts.main.getArgAttrOfType<mlir::IntegerAttr>(argument, kOriginAllocation);
    if (!number || !parts.keepAllocations) return std::nullopt;
    return number.getInt();
  };
  const auto passOver = [&](std::optional<int64_t> number) {
    // No program has more; larger numbers are refused when it is restored.
    constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
    if (number.has_value() && *number < kMax) next = std::max(next, *number + 1);
  };
  for (unsigned i = 0; i < parts.argumentSizes.size(); ++i) passOver(kept(i));
  for (const ProgramConstant& constant : parts.constants) {
    if (parts.keepAllocations) passOver(constant.origin);
  }
  for (unsigned i = 0; i < parts.argumentSizes.size(); ++i) {
    const std::optional<int64_t> number = kept(i);
    parts.argumentAllocations[i] = number.has_value() ? *number : next++;
  }
  for (ProgramConstant& constant : parts.constants) {
    const bool keep = parts.keepAllocations && constant.origin.has_value();
    constant.allocation = keep ? *constant.origin : next++;
  }
}

mlir::FailureOr<mlir::func::FuncOp> inlinedMain(mlir::ModuleOp module) {
  mlir::FailureOr<mlir::func::FuncOp> main = findMain(module);
  if (mlir::failed(main) || !hasCalls(*main)) return main;
  if (mlir::failed(checkInlinedSize(*main))) return mlir::failure();
  mlir::PassManager passes(module.getContext());
  // Without the simplification that MLIR would do on the way: what a program says
  // stays.
  passes.addPass(mlir::createInlinerPass({}, [](mlir::OpPassManager&) {}));
  if (mlir::failed(passes.run(module))) return mlir::failure();
  main = findMain(module);
  if (mlir::succeeded(main)) shareConstants(*main);
  return main;
}

mlir::FailureOr<ProgramParts> takeApart(mlir::ModuleOp module) {
  mlir::FailureOr<mlir::func::FuncOp> main = inlinedMain(module);
  if (mlir::failed(main)) return mlir::failure();
  mlir::FailureOr<std::vector<ProgramConstant>> constants = constantsOf(*main);
  if (mlir::failed(constants)) return mlir::failure();
  ProgramParts parts;
  parts.main = *main;
  parts.constants = *std::move(constants);
  for (const mlir::Type type : main->getArgumentTypes()) {
    parts.argumentSizes.push_back(llvm::cast<BufferType>(type).getSize());
  }
  parts.keepAllocations = module->hasAttr(kOrigin) && module->hasAttr(kKeepAllocations);
  numberAllocations(parts);
  return parts;
}

}  // namespace thunky::compiler
