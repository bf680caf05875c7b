#include "thunky/compiler/translate/thunk_importer.h"

#include <utility>

#include "google/protobuf/arena.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Diagnostics.h"
#include "thunky/compiler/dialect/payload.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/shapes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/access_modes.h"

namespace thunky::compiler {
namespace {

// Clears what operations say: numbers that differ from file to file.
class ClearingLowering : public ThunkLowering {
 public:
  llvm::LogicalResult lowerRegion(
      mlir::Region&, google::protobuf::RepeatedPtrField<wire::ThunkProto>&) override {
    return mlir::success();
  }
  uint64_t asyncIdOf(mlir::Value) override { return 0; }
  llvm::LogicalResult attachCode(mlir::Operation*, mlir::FlatSymbolRefAttr,
                                 wire::KernelLoaderSpecProto&) override {
    return mlir::success();
  }
  void setSlice(mlir::Value, int64_t, int64_t,
                wire::BufferAllocationSliceProto& slice) override {
    slice.clear_buffer_allocation_index();
    slice.clear_offset();
    slice.clear_size();
  }

 protected:
  int64_t allocationOf(mlir::Value) override { return 0; }
};

// A small file may ask for any number of allocations and of thunks that use them all.
constexpr size_t kMaxListed = size_t{1} << 22;

bool isU8(const ArrayType& array) {
  return array.type.getRank() == 1 && array.type.getElementType().isUnsignedInteger(8);
}

}  // namespace

// An operation as the executable numbered it, without the thunks in its regions and
// without code.
class ThunkImporter::Lowering : public ThunkLowering {
 public:
  explicit Lowering(const std::map<int64_t, mlir::Value>& buffers) {
    for (const auto& [number, buffer] : buffers) numbers_[buffer] = number;
  }
  void setToken(uint64_t id, mlir::Value token) { ids_[token] = id; }

  llvm::LogicalResult lowerRegion(
      mlir::Region&, google::protobuf::RepeatedPtrField<wire::ThunkProto>&) override {
    return mlir::success();
  }
  uint64_t asyncIdOf(mlir::Value token) override { return ids_.lookup(token); }
  llvm::LogicalResult attachCode(mlir::Operation*, mlir::FlatSymbolRefAttr,
                                 wire::KernelLoaderSpecProto&) override {
    return mlir::success();
  }

 protected:
  int64_t allocationOf(mlir::Value root) override { return numbers_.lookup(root); }

 private:
  llvm::DenseMap<mlir::Value, int64_t> numbers_;
  llvm::DenseMap<mlir::Value, uint64_t> ids_;
};

ThunkImporter::ThunkImporter(mlir::OpBuilder& builder, CodeImporter& code,
                             std::map<int64_t, mlir::Value> buffers)
    : builder_(builder),
      code_(code),
      buffers_(std::move(buffers)),
      views_(1),
      original_(std::make_unique<Lowering>(buffers_)) {}

ThunkImporter::~ThunkImporter() = default;

void ThunkImporter::setToken(uint64_t id, mlir::Value token) {
  tokens_[id] = token;
  original_->setToken(id, token);
}

mlir::InFlightDiagnostic ThunkImporter::emitError() {
  // Where the executable came from; the thunk's own location is its annotation.
  mlir::Operation* place = builder_.getInsertionBlock()->getParentOp();
  while (place->getParentOp() != nullptr) place = place->getParentOp();
  return mlir::emitError(place->getLoc()) << llvm::join(path_, ".") << ": ";
}

mlir::Value ThunkImporter::buffer(const wire::BufferAllocationSliceProto& slice) {
  const mlir::Value whole = allocation(slice.buffer_allocation_index());
  if (slice.offset() == 0 &&
      slice.size() == llvm::cast<BufferType>(whole.getType()).getSize()) {
    return whole;
  }
  const Range range = {slice.buffer_allocation_index(), slice.offset(), slice.size()};
  for (auto views = views_.rbegin(); views != views_.rend(); ++views) {
    const auto found = views->find(range);
    if (found != views->end()) return found->second;
  }
  const mlir::Value view = SliceBufferOp::create(
      builder_, builder_.getUnknownLoc(),
      BufferType::get(builder_.getContext(), slice.size()), whole, slice.offset());
  views_.back()[range] = view;
  return view;
}

mlir::FailureOr<llvm::SmallVector<mlir::Value>> ThunkImporter::allocations() {
  if (buffers_.size() > kMaxListed - listed_) {
    emitError() << "with thunks of unknown kinds, each of which may use all "
                << buffers_.size() << " allocations, the module has more than "
                << kMaxListed << " operands";
    return mlir::failure();
  }
  listed_ += buffers_.size();
  llvm::SmallVector<mlir::Value> values;
  for (const auto& [number, value] : buffers_) values.push_back(value);
  return values;
}

ShapeAttributes ThunkImporter::shapesOf(
    absl::Span<const wire::ShapedSliceProto* const> slices) {
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Attribute> layouts;
  bool rowMajor = true;
  bool bytes = true;
  for (const wire::ShapedSliceProto* slice : slices) {
    const std::optional<ArrayType> array =
        arrayTypeOf(builder_.getContext(), slice->shape());
    if (!array.has_value() ||
        slice->slice().element_type() != slice->shape().element_type()) {
      return {};
    }
    types.push_back(array->type);
    layouts.push_back(builder_.getDenseI64ArrayAttr(array->minorToMajor));
    rowMajor = rowMajor && array->isRowMajor();
    bytes = bytes && isU8(*array);
  }
  if (bytes) return {};
  return {builder_.getTypeArrayAttr(types),
          rowMajor ? mlir::ArrayAttr() : builder_.getArrayAttr(layouts)};
}

mlir::Value ThunkImporter::token(uint64_t id) const {
  const auto found = tokens_.find(id);
  return found != tokens_.end() ? found->second : mlir::Value();
}

llvm::LogicalResult ThunkImporter::importRegion(mlir::Region& region,
                                                llvm::StringRef label,
                                                schema::ThunkList& thunks) {
  const mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.createBlock(&region);
  views_.emplace_back();
  path_.push_back(label.str());
  const llvm::LogicalResult result = importThunks(thunks);
  path_.pop_back();
  views_.pop_back();
  YieldOp::create(builder_, builder_.getUnknownLoc());
  return result;
}

llvm::LogicalResult ThunkImporter::importThunks(schema::ThunkList& thunks) {
  const std::string list = path_.back();
  for (int i = 0; i < thunks.size(); ++i) {
    path_.back() = list + "[" + std::to_string(i) + "]";
    if (mlir::failed(importThunk(thunks[i]))) return mlir::failure();
  }
  path_.back() = list;
  return mlir::success();
}

llvm::LogicalResult ThunkImporter::importThunk(wire::ThunkProto& thunk) {
  if (thunk.has_sequential_thunk()) {
    // An order of its own says nothing more; neither do its annotations.
    path_.push_back("sequential");
    const llvm::LogicalResult result =
        importThunks(*thunk.mutable_sequential_thunk()->mutable_thunks());
    path_.pop_back();
    return result;
  }
  const absl::StatusOr<schema::ThunkKind> kind = schema::KindOf(thunk);
  wire::ThunkInfoProto& info = *thunk.mutable_thunk_info();
  const std::string annotation = std::move(*info.mutable_profile_annotation());
  const std::optional<int64_t> concurrentRegion =
      info.has_concurrent_region_id()
          ? std::optional<int64_t>(info.concurrent_region_id())
          : std::nullopt;
  info.clear_profile_annotation();
  info.clear_thunk_id();
  info.clear_concurrent_region_id();
  if (info.ByteSizeLong() == 0) thunk.clear_thunk_info();
  location_ =
      annotation.empty()
          ? builder_.getUnknownLoc()
          : mlir::Location(mlir::NameLoc::get(builder_.getStringAttr(annotation)));
  mlir::Operation* op = nullptr;
  if (const ImportFunction import = kind.ok() ? importOf(*kind) : nullptr) {
    const mlir::FailureOr<mlir::Operation*> result = import(*this, thunk);
    if (mlir::failed(result)) return mlir::failure();
    op = *result;
  }
  if (op != nullptr && !settle(op, thunk)) {
    if (op->getNumRegions() != 0) {
      return emitError() << schema::KindName(*kind)
                         << " holds fields that its operation cannot keep";
    }
    op->erase();
    op = nullptr;
  }
  if (op == nullptr) {
    const mlir::FailureOr<mlir::Operation*> result = importPayload(*this, thunk);
    if (mlir::failed(result)) return mlir::failure();
    op = *result;
  }
  op->setAttr(kAnnotation, builder_.getStringAttr(annotation));
  if (concurrentRegion.has_value()) {
    op->setAttr(kRegion, builder_.getI64IntegerAttr(*concurrentRegion));
  }
  return mlir::success();
}

// Runs for every thunk: what it makes on the way is freed at once.
bool ThunkImporter::settle(mlir::Operation* op, const wire::ThunkProto& thunk) {
  google::protobuf::Arena arena;
  const auto create = [&] {
    return google::protobuf::Arena::CreateMessage<wire::ThunkProto>(&arena);
  };
  const auto copyOf = [&](const wire::ThunkProto& from) {
    wire::ThunkProto* copy = create();
    copy->CopyFrom(from);
    return copy;
  };
  const auto dropAccess = [](wire::ThunkProto& from) {
    if (from.has_custom_kernel_thunk()) {
      dropImpliedAccess(*from.mutable_custom_kernel_thunk());
    }
  };
  const wire::ThunkProto* original = &thunk;
  if (!thunk.custom_kernel_thunk().thunky_access().empty()) {
    wire::ThunkProto* copy = copyOf(thunk);
    dropAccess(*copy);
    original = copy;
  }
  const std::string wanted = bytesOf(*original);
  // What cannot be said is no error: the general form can.
  const mlir::ScopedDiagnosticHandler silence(
      builder_.getContext(), [](mlir::Diagnostic&) { return mlir::success(); });
  auto lowerable = llvm::cast<ThunkOpInterface>(op);
  // Whether lowering over `base`, which it fills, gives the original again.
  const auto gives = [&](wire::ThunkProto& base) {
    if (mlir::failed(lowerable.lower(*original_, base))) return false;
    dropAccess(base);
    return bytesOf(base) == wanted;
  };
  if (gives(*create())) return true;
  wire::ThunkProto* residual = copyOf(*original);
  ClearingLowering clearing;
  if (mlir::failed(lowerable.lower(clearing, *residual))) return false;
  if (residual->has_custom_kernel_thunk()) {
    residual->mutable_custom_kernel_thunk()->clear_thunky_access();
  }
  if (!gives(*copyOf(*residual))) return false;
  writeResidual(op, *residual);
  return true;
}

}  // namespace thunky::compiler
