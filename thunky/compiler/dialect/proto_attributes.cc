#include "thunky/compiler/dialect/proto_attributes.h"

#include <string_view>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "thunky/container/message_cost.h"
#include "thunky/container/proto_scan.h"
#include "thunky/container/text_proto.h"

namespace thunky::compiler {
namespace {

std::string messageOf(const absl::Status& status) {
  return std::string(status.message());
}

}  // namespace

std::string bytesOf(const google::protobuf::Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

std::optional<std::string> textOf(const google::protobuf::Message& message) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  if (!printer.PrintToString(message, &text)) return std::nullopt;
  while (!text.empty() && text.back() == ' ') text.pop_back();
  const std::unique_ptr<google::protobuf::Message> again(message.New());
  if (!parseText(text, *again).ok() || bytesOf(*again) != bytesOf(message)) {
    return std::nullopt;
  }
  return text;
}

absl::Status parseText(llvm::StringRef text, google::protobuf::Message& message) {
  MessageShapes shapes;
  ReadBudget budget;
  return ParseTextProto(std::string_view(text.data(), text.size()), shapes, budget,
                        message);
}

absl::Status parseBytes(llvm::StringRef bytes, google::protobuf::Message& message) {
  ReadBudget budget;
  ProtoScanner scanner(budget);
  return scanner.Merge(std::string_view(bytes.data(), bytes.size()), message);
}

llvm::LogicalResult readResidual(mlir::Operation* op, wire::ThunkProto& thunk) {
  const auto text = op->getAttrOfType<mlir::StringAttr>(kResidual);
  const auto bytes = op->getAttrOfType<mlir::StringAttr>(kResidualBytes);
  if (text && bytes) {
    return op->emitOpError("has both ") << kResidual << " and " << kResidualBytes;
  }
  if (!text && !bytes) return mlir::success();
  const absl::Status status =
      text ? parseText(text.getValue(), thunk) : parseBytes(bytes.getValue(), thunk);
  if (status.ok()) return mlir::success();
  return op->emitOpError("has a residual that is no ThunkProto: ") << messageOf(status);
}

void writeResidual(mlir::Operation* op, const wire::ThunkProto& thunk) {
  mlir::MLIRContext* context = op->getContext();
  if (const std::optional<std::string> text = textOf(thunk)) {
    op->setAttr(kResidual, mlir::StringAttr::get(context, *text));
  } else {
    op->setAttr(kResidualBytes, mlir::StringAttr::get(context, bytesOf(thunk)));
  }
}

}  // namespace thunky::compiler
