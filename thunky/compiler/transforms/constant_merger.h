// Constants of one program in another.
#ifndef THUNKY_COMPILER_TRANSFORMS_CONSTANT_MERGER_H_
#define THUNKY_COMPILER_TRANSFORMS_CONSTANT_MERGER_H_

#include <map>
#include <string>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {

// The bytes of constants, so that equal ones are found. Reads each attribute once.
class ConstantContents {
 public:
  // Equal for values with the same bytes; zeros at the end do not count, since a buffer
  // is filled up with them.
  const std::string& of(mlir::Attribute value);

  // `stem` and a number that it was not given with before.
  std::string nextName(llvm::StringRef stem);

 private:
  llvm::DenseMap<mlir::Attribute, std::string> contents_;
  llvm::StringMap<int> numbers_;
};

// Gives the host's @main the constants of a callee. Lives for one merge: nobody else
// changes the constants at the start of @main meanwhile.
class ConstantMerger {
 public:
  ConstantMerger(ConstantContents& contents, mlir::func::FuncOp main)
      : contents_(contents), main_(main) {}

  // A constant at the start of @main with the bytes and the size of this one, which is
  // added where there is none.
  mlir::Value merged(ConstantOp constant, mlir::Location location);

 private:
  using Key = std::pair<std::string, int64_t>;

  void list();

  ConstantContents& contents_;
  mlir::func::FuncOp main_;
  // Empty until something is looked for.
  std::map<Key, ConstantOp> known_;
  llvm::StringSet<> names_;
  ConstantOp last_;
  bool listed_ = false;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSFORMS_CONSTANT_MERGER_H_
