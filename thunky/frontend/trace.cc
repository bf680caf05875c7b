#include "thunky/frontend/trace.h"

#include <cctype>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mlir/IR/Verifier.h"
#include "thunky/compiler/analysis/program_walk.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/constant_value.h"
#include "thunky/compiler/dialect/shapes.h"
#include "thunky/compiler/library/module_text.h"

namespace thunky::frontend {
namespace {

thread_local Trace* innermost = nullptr;

std::string in_quotes(std::string_view name) {
  return absl::StrCat("'", std::string(name), "'");
}

// A name that a symbol can have.
std::string symbol_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
                       c == '.' || c == '$';
    name += plain ? c : '_';
  }
  return name.empty() ? "code" : name;
}

// Where operations are added, for the life of the object.
class InsertionScope {
 public:
  InsertionScope(mlir::OpBuilder& builder, mlir::Block* block)
      : builder_(builder), before_(builder.saveInsertionPoint()) {
    builder_.setInsertionPointToEnd(block);
  }
  ~InsertionScope() { builder_.restoreInsertionPoint(before_); }

 private:
  mlir::OpBuilder& builder_;
  mlir::OpBuilder::InsertPoint before_;
};

}  // namespace

std::string Origin::describe() const {
  const std::string place = where.to_string();
  const std::string text = absl::StrCat("program ", in_quotes(program));
  return place.empty() ? text : absl::StrCat(text, " (", place, ")");
}

// Slices of a region end with it.
class RegionScope {
 public:
  explicit RegionScope(Trace& trace) : trace_(trace) { trace_.slices_.emplace_back(); }
  ~RegionScope() { trace_.slices_.pop_back(); }

 private:
  Trace& trace_;
};

Trace::Trace(const std::string& name, const SourceLocation& where)
    : holder_(std::make_shared<Module>(where)),
      origin_(std::make_shared<const Origin>(Origin{name, where})),
      diagnostics_(std::make_unique<Diagnostics>(holder_->context())),
      outer_(innermost),
      builder_(holder_->context()),
      slices_(1) {
  module().setSymName(symbol_name(name));
  builder_.setInsertionPointToEnd(module().getBody());
  main_ = mlir::func::FuncOp::create(builder_, location(where), "main",
                                     builder_.getFunctionType({}, {}));
  builder_.setInsertionPointToEnd(main_.addEntryBlock());
  innermost = this;
}

Trace::~Trace() { innermost = outer_; }

Trace& Trace::current(std::string_view operation, const SourceLocation& where) {
  if (innermost != nullptr) return *innermost;
  throw Error(ErrorCode::failed_precondition,
              std::string(operation) +
                  ": no program is being traced; operations are called in a function "
                  "that jit traces",
              where);
}

Ref Trace::ref(mlir::Value root, int64_t offset, Type type) const {
  return Ref(origin_, root.getAsOpaquePointer(), offset, std::move(type));
}

namespace {

int64_t size_of(const Type& type, const std::string& what, const SourceLocation& where) {
  const std::string problem = type.problem();
  if (problem.empty()) return type.byte_size();
  throw Error(ErrorCode::invalid_argument, what + ": " + problem, where);
}

}  // namespace

Ref Trace::add_argument(const Parameter& parameter, const SourceLocation& where) {
  const size_t number = argument_attributes_.size();
  const int64_t size =
      size_of(parameter.type, absl::StrCat("jit: argument ", number), where);
  mlir::NamedAttrList attributes;
  if (!parameter.name.empty()) {
    attributes.append(compiler::kName, builder_.getStringAttr(parameter.name));
  }
  attributes.append(compiler::kType, mlir::TypeAttr::get(tensor_type(parameter.type)));
  argument_attributes_.push_back(attributes.getDictionary(context()));
  const mlir::Value root = main_.getBody().front().addArgument(
      compiler::BufferType::get(context(), size), location(where));
  return ref(root, 0, parameter.type);
}

Ref Trace::add_scratch(const Type& type, std::string_view name,
                       const SourceLocation& where) {
  const int64_t size = size_of(type, absl::StrCat("scratch ", in_quotes(name)), where);
  mlir::NamedAttrList attributes;
  if (!name.empty()) {
    attributes.append(compiler::kName, builder_.getStringAttr(llvm::StringRef(name)));
  }
  attributes.append(compiler::kScratch, builder_.getUnitAttr());
  attributes.append(compiler::kType, mlir::TypeAttr::get(tensor_type(type)));
  argument_attributes_.push_back(attributes.getDictionary(context()));
  const mlir::Value root = main_.getBody().front().addArgument(
      compiler::BufferType::get(context(), size), location(where));
  return ref(root, 0, type);
}

Ref Trace::add_constant(const Type& type, std::string bytes,
                        const SourceLocation& where) {
  const int64_t size = size_of(type, "constant", where);
  if (size != static_cast<int64_t>(bytes.size())) {
    throw Error(ErrorCode::invalid_argument,
                "constant: " + std::to_string(bytes.size()) + " bytes for " +
                    type.to_string() + ", which has " + std::to_string(size),
                where);
  }
  // Equal bytes are one constant, whatever their types.
  const auto [known, added] = constants_.try_emplace(bytes, mlir::Value());
  if (!added) return ref(known->second, 0, type);
  const mlir::OpBuilder::InsertionGuard guard(builder_);
  if (last_constant_ != nullptr) {
    builder_.setInsertionPointAfter(last_constant_);
  } else {
    builder_.setInsertionPointToStart(&main_.getBody().front());
  }
  const std::string name = absl::StrCat("constant_", constants_.size() - 1);
  auto op = compiler::ConstantOp::create(
      builder_, location(where), compiler::BufferType::get(context(), size),
      compiler::constantValue(context(), name, std::move(bytes)), mlir::StringAttr());
  last_constant_ = op;
  known->second = op.getResult();
  return ref(op.getResult(), 0, type);
}

void Trace::fail_foreign(const Origin& origin, std::string_view operation,
                         std::string_view what, const SourceLocation& where) const {
  throw Error(ErrorCode::invalid_argument,
              std::string(operation) + ": " + std::string(what) + " belongs to " +
                  origin.describe() + ", and " + origin_->describe() +
                  " is being traced; pass it as an argument of a nested program",
              where);
}

void Trace::check(const Ref& ref, std::string_view operation,
                  const SourceLocation& where) const {
  if (ref.origin_ == origin_) return;
  fail_foreign(*ref.origin_, operation, "a ref of type " + ref.type().to_string(), where);
}

bool Trace::is_constant(const Ref& ref) {
  const mlir::Value root = mlir::Value::getFromOpaquePointer(ref.root_);
  return root.getDefiningOp<compiler::ConstantOp>() != nullptr;
}

mlir::Value Trace::value(const Ref& ref, std::string_view operation,
                         const SourceLocation& where) {
  check(ref, operation, where);
  const mlir::Value root = mlir::Value::getFromOpaquePointer(ref.root_);
  const int64_t size = ref.byte_size();
  const int64_t whole = llvm::cast<compiler::BufferType>(root.getType()).getSize();
  if (ref.offset_ == 0 && size == whole) return root;
  const Window window = {ref.root_, ref.offset_, size};
  for (const auto& slices : slices_) {
    if (const auto found = slices.find(window); found != slices.end()) {
      return found->second;
    }
  }
  const mlir::Value slice = compiler::SliceBufferOp::create(
      builder_, location(where), compiler::BufferType::get(context(), size), root,
      static_cast<uint64_t>(ref.offset_));
  slices_.back()[window] = slice;
  return slice;
}

llvm::SmallVector<mlir::Value> Trace::values(const std::vector<Ref>& refs,
                                             std::string_view operation,
                                             const SourceLocation& where) {
  llvm::SmallVector<mlir::Value> values;
  for (const Ref& ref : refs) values.push_back(value(ref, operation, where));
  return values;
}

mlir::FlatSymbolRefAttr Trace::symbol(const KernelCode& code, std::string_view kernel,
                                      const SourceLocation& where) {
  mlir::FlatSymbolRefAttr& symbol = code_[code.content_];
  if (symbol) return symbol;
  const auto [known, added] = code_by_content_.try_emplace({code.ptx(), code.cubins()},
                                                           mlir::FlatSymbolRefAttr());
  if (!added) return symbol = known->second;
  const std::string name =
      symbol_name(code.name().empty() ? kernel : std::string_view(code.name()));
  const auto resource = [&](const std::string& bytes) {
    return compiler::bytesResource(context(), name, std::string(bytes));
  };
  mlir::NamedAttrList cubins;
  for (const auto& [architecture, bytes] : code.cubins()) {
    cubins.append(architecture, resource(bytes));
  }
  // Made before the code is there, so that it knows @main, whose name kernels may have.
  mlir::SymbolTable& table = symbols_.getSymbolTable(module());
  const mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPoint(main_);
  auto op = compiler::KernelCodeOp::create(
      builder_, location(where), builder_.getStringAttr(name), mlir::StringAttr(),
      code.ptx().empty() ? mlir::Attribute() : resource(code.ptx()), mlir::StringAttr(),
      cubins.empty() ? mlir::DictionaryAttr() : cubins.getDictionary(context()),
      mlir::DictionaryAttr());
  // Gives it another name where there is one of this name.
  table.insert(op);
  symbol = mlir::FlatSymbolRefAttr::get(context(), op.getSymName());
  return known->second = symbol;
}

mlir::Location Trace::location(const SourceLocation& where) {
  if (where.line == 0) return builder_.getUnknownLoc();
  return mlir::FileLineColLoc::get(context(), where.file, where.line, where.column);
}

mlir::Location Trace::location(std::string_view name, const SourceLocation& where) {
  return mlir::NameLoc::get(builder_.getStringAttr(llvm::StringRef(name)),
                            location(where));
}

mlir::RankedTensorType Trace::tensor_type(const Type& type) {
  const mlir::Type element = compiler::elementTypeOf(
      context(), static_cast<wire::PrimitiveType>(type.element().code()));
  return mlir::RankedTensorType::get(type.shape(), element);
}

void Trace::verify(mlir::Operation* op, const SourceLocation& where) {
  diagnostics_->clear();
  const mlir::RegisteredOperationName info = *op->getName().getRegisteredInfo();
  bool good = mlir::succeeded(info.verifyInvariants(op)) &&
              mlir::succeeded(info.verifyRegionInvariants(op));
  if (auto user = llvm::dyn_cast<mlir::SymbolUserOpInterface>(op); good && user) {
    good = mlir::succeeded(user.verifySymbolUses(symbols_));
  }
  if (good) return;
  erase(op);
  fail(where);
}

void Trace::erase(mlir::Operation* op) {
  for (mlir::Value& token : tokens_) {
    if (token && op->isAncestor(token.getDefiningOp())) token = mlir::Value();
  }
  op->dropAllDefinedValueUses();
  op->erase();
}

void Trace::fail(const SourceLocation& where) {
  diagnostics_->fail(ErrorCode::invalid_argument, where);
}

void Trace::fill(mlir::Operation* op, mlir::Region& region, const Region& body) {
  try {
    // As deep as a check of the program looks: recursion has no other bound.
    if (depth() >= compiler::kMaxWalkDepth) {
      diagnostics_->clear();
      op->emitOpError("is nested in more than ")
          << compiler::kMaxWalkDepth << " regions; at most so many are allowed";
      fail(place_of(op->getLoc()));
    }
    const RegionScope scope(*this);
    const InsertionScope here(builder_, &region.emplaceBlock());
    body();
    compiler::YieldOp::create(builder_, op->getLoc());
  } catch (...) {
    erase(op);
    throw;
  }
}

Token Trace::add_token(mlir::Value token) {
  tokens_.push_back(token);
  return Token(origin_, reinterpret_cast<void*>(tokens_.size() - 1));
}

mlir::Value Trace::token(const Token& token, const SourceLocation& where) {
  if (token.origin_ != origin_) {
    fail_foreign(*token.origin_, "async_done", "a token", where);
  }
  const mlir::Value value = tokens_[reinterpret_cast<size_t>(token.value_)];
  if (value) return value;
  throw Error(ErrorCode::invalid_argument,
              "async_done: the token is of work in a region that failed and is gone",
              where);
}

mlir::ModuleOp Trace::adopt(const std::shared_ptr<const Module>& module,
                            const SourceLocation& where) {
  auto& [owner, adopted] = adopted_[module.get()];
  if (!adopted) {
    diagnostics_->clear();
    adopted = compiler::readModule(context(), "nested program", module->bytecode());
    if (!adopted) fail(where);
    owner = module;
  }
  return *adopted;
}

void Trace::sync_arguments() {
  mlir::Block& block = main_.getBody().front();
  if (block.getNumArguments() == main_.getFunctionType().getNumInputs()) return;
  main_.setFunctionType(builder_.getFunctionType(block.getArgumentTypes(), {}));
  main_.setAllArgAttrs(argument_attributes_);
}

llvm::SmallVector<mlir::Value> Trace::merge(const std::shared_ptr<const Module>& module,
                                            llvm::ArrayRef<mlir::Value> operands,
                                            mlir::Location location,
                                            const SourceLocation& where) {
  mlir::ModuleOp callee = adopt(module, where);
  sync_arguments();
  if (!splicer_) splicer_ = std::make_unique<compiler::ModuleSplicer>(this->module());
  diagnostics_->clear();
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> merged =
      splicer_->splice(builder_, location, callee, operands);
  if (mlir::failed(merged)) fail(where);
  // What is in new scratch, the callee says.
  auto inner = callee.lookupSymbol<mlir::func::FuncOp>("main");
  for (unsigned i = 0; i < operands.size(); ++i) {
    const auto added = llvm::dyn_cast<mlir::BlockArgument>((*merged)[i]);
    if (operands[i] || !added) continue;
    for (const llvm::StringLiteral name : {compiler::kType, compiler::kLayout}) {
      if (const mlir::Attribute value = inner.getArgAttr(i, name)) {
        main_.setArgAttr(added.getArgNumber(), name, value);
      }
    }
  }
  for (unsigned i = argument_attributes_.size(); i < main_.getNumArguments(); ++i) {
    argument_attributes_.push_back(main_.getArgAttrDict(i));
  }
  return *std::move(merged);
}

void Trace::drop_unused_code() {
  for (auto op : llvm::make_early_inc_range(module().getOps<compiler::KernelCodeOp>())) {
    if (mlir::SymbolTable::symbolKnownUseEmpty(op, module())) op.erase();
  }
}

std::shared_ptr<Module> Trace::finish() {
  sync_arguments();
  drop_unused_code();
  mlir::func::ReturnOp::create(builder_, main_.getLoc());
  diagnostics_->clear();
  if (mlir::failed(mlir::verify(module()))) fail(origin_->where);
  // Handlers belong to a context, which others use from now on.
  diagnostics_.reset();
  adopted_.clear();
  return std::move(holder_);
}

}  // namespace thunky::frontend
