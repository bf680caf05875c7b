// A program while it is being traced. Not public: needs MLIR.
#ifndef THUNKY_FRONTEND_TRACE_H_
#define THUNKY_FRONTEND_TRACE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/transforms/splice.h"
#include "thunky/frontend/diagnostics.h"
#include "thunky/frontend/kernel_code.h"
#include "thunky/frontend/module.h"
#include "thunky/frontend/operations.h"
#include "thunky/frontend/program.h"
#include "thunky/frontend/ref.h"

namespace thunky::frontend {

// What a ref knows of its trace. Its address tells traces apart: refs hold it.
struct Origin {
  std::string program;
  SourceLocation where;

  // "program 'saxpy' (app.cc:12)"
  std::string describe() const;
};

class Trace {
 public:
  // Becomes the innermost trace of this thread until it is destroyed.
  Trace(const std::string& name, const SourceLocation& where);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // The innermost trace of this thread; throws failed_precondition when there is none.
  static Trace& current(std::string_view operation, const SourceLocation& where);

  const Origin& origin() const { return *origin_; }
  mlir::MLIRContext* context() { return holder_->context(); }
  mlir::OpBuilder& builder() { return builder_; }
  mlir::ModuleOp module() { return holder_->module(); }
  mlir::func::FuncOp main() { return main_; }
  mlir::SymbolTableCollection& symbols() { return symbols_; }

  Ref add_argument(const Parameter& parameter, const SourceLocation& where);
  Ref add_scratch(const Type& type, std::string_view name, const SourceLocation& where);
  Ref add_constant(const Type& type, std::string bytes, const SourceLocation& where);
  // The window of a buffer, a root.
  Ref ref(mlir::Value root, int64_t offset, Type type) const;

  // The buffer that an operation gets for a ref: the root, or a slice of it at the point
  // of insertion. Throws when the ref is another trace's.
  mlir::Value value(const Ref& ref, std::string_view operation,
                    const SourceLocation& where);
  // Throws when the ref is another trace's.
  void check(const Ref& ref, std::string_view operation,
             const SourceLocation& where) const;
  // Whether nothing may write a ref, which is one of this trace's.
  static bool is_constant(const Ref& ref);
  // Regions that are open, that of @main among them.
  int depth() const { return static_cast<int>(slices_.size()); }
  llvm::SmallVector<mlir::Value> values(const std::vector<Ref>& refs,
                                        std::string_view operation,
                                        const SourceLocation& where);
  mlir::FlatSymbolRefAttr symbol(const KernelCode& code, std::string_view kernel,
                                 const SourceLocation& where);

  mlir::Location location(const SourceLocation& where);
  mlir::Location location(std::string_view name, const SourceLocation& where);
  mlir::RankedTensorType tensor_type(const Type& type);

  // Adds an operation and verifies it; throws what is wrong with it, and then it is not
  // there.
  template <typename Op, typename... Arguments>
  Op emit(const SourceLocation& where, mlir::Location location,
          Arguments&&... arguments) {
    Op op = Op::create(builder_, location, std::forward<Arguments>(arguments)...);
    verify(op, where);
    return op;
  }
  void verify(mlir::Operation* op, const SourceLocation& where);

  // Traces `body` into an empty region of an operation, which is erased when it throws.
  void fill(mlir::Operation* op, mlir::Region& region, const Region& body);

  Token add_token(mlir::Value token);
  mlir::Value token(const Token& token, const SourceLocation& where);

  // Merges the operations of a module at the point of insertion. One operand for each of
  // its arguments; null for one that becomes new scratch. Gives what each became.
  llvm::SmallVector<mlir::Value> merge(const std::shared_ptr<const Module>& module,
                                       llvm::ArrayRef<mlir::Value> operands,
                                       mlir::Location location,
                                       const SourceLocation& where);

  // Throws the collected diagnostics as one error.
  [[noreturn]] void fail(const SourceLocation& where);
  void clear_diagnostics() { diagnostics_->clear(); }

  // Ends the trace: the module, verified.
  std::shared_ptr<Module> finish();

 private:
  friend class RegionScope;
  using Window = std::tuple<void*, int64_t, int64_t>;

  // With all that was started in its regions.
  void erase(mlir::Operation* op);
  [[noreturn]] void fail_foreign(const Origin& origin, std::string_view operation,
                                 std::string_view what,
                                 const SourceLocation& where) const;
  // The module in the context of this trace; read once.
  mlir::ModuleOp adopt(const std::shared_ptr<const Module>& module,
                       const SourceLocation& where);
  // Lets @main say which arguments it has.
  void sync_arguments();
  // Code of kernels that were refused, or that are in a region that was.
  void drop_unused_code();

  std::shared_ptr<Module> holder_;
  std::shared_ptr<const Origin> origin_;
  std::unique_ptr<Diagnostics> diagnostics_;
  Trace* outer_;
  mlir::func::FuncOp main_;
  mlir::OpBuilder builder_;
  mlir::SymbolTableCollection symbols_;
  // Constants come before every other operation of @main, in the order in which they
  // were met.
  mlir::Operation* last_constant_ = nullptr;
  std::map<std::string, mlir::Value> constants_;  // by their bytes
  std::vector<mlir::DictionaryAttr> argument_attributes_;
  // Slices that were made so far, by the region they are in: for each that is open.
  std::vector<std::map<Window, mlir::Value>> slices_;
  // Symbols of kernel code: by the object, which is quick, and by what is in it.
  std::map<std::shared_ptr<const void>, mlir::FlatSymbolRefAttr> code_;
  std::map<std::pair<std::string, std::map<std::string, std::string>>,
           mlir::FlatSymbolRefAttr>
      code_by_content_;
  // Null once the operation that gave it is gone.
  std::vector<mlir::Value> tokens_;
  std::unique_ptr<compiler::ModuleSplicer> splicer_;
  std::map<const Module*,
           std::pair<std::shared_ptr<const Module>, mlir::OwningOpRef<mlir::ModuleOp>>>
      adopted_;
};

}  // namespace thunky::frontend

#endif  // THUNKY_FRONTEND_TRACE_H_
