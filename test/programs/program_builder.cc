#include "test/programs/program_builder.h"

#include <memory>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace thunky::program_tests {
namespace {

void Number(google::protobuf::RepeatedPtrField<wire::ThunkProto>* thunks, int64_t* next);

void Number(wire::ThunkProto* thunk, int64_t* next) {
  thunk->mutable_thunk_info()->set_thunk_id((*next)++);
  switch (thunk->impl_case()) {
    case wire::ThunkProto::kSequentialThunk:
      Number(thunk->mutable_sequential_thunk()->mutable_thunks(), next);
      break;
    case wire::ThunkProto::kWhileThunk: {
      wire::WhileThunkProto* loop = thunk->mutable_while_thunk();
      Number(loop->mutable_condition_thunk_sequence()->mutable_thunks(), next);
      Number(loop->mutable_body_thunk_sequence()->mutable_thunks(), next);
      break;
    }
    case wire::ThunkProto::kConditionalThunk:
      for (auto& branch : *thunk->mutable_conditional_thunk()->mutable_branch_thunks()) {
        Number(branch.mutable_thunks(), next);
      }
      break;
    case wire::ThunkProto::kAsyncStartThunk:
      Number(thunk->mutable_async_start_thunk()->mutable_thunks()->mutable_thunks(),
             next);
      break;
    case wire::ThunkProto::kDynamicSliceFusionThunk:
      Number(thunk->mutable_dynamic_slice_fusion_thunk()
                 ->mutable_embedded_thunks()
                 ->mutable_thunks(),
             next);
      break;
    default:
      break;
  }
}

void Number(google::protobuf::RepeatedPtrField<wire::ThunkProto>* thunks, int64_t* next) {
  for (wire::ThunkProto& thunk : *thunks) Number(&thunk, next);
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
  if (!text.empty() && text.back() != '\n' && !lines.empty()) lines.back().pop_back();
  return lines;
}

// Adjacent strings are one string in text format.
class PtxPrinter : public google::protobuf::TextFormat::FastFieldValuePrinter {
 public:
  void PrintString(
      const std::string& value,
      google::protobuf::TextFormat::BaseTextGenerator* generator) const override {
    if (value.empty()) generator->PrintLiteral("\"\"");
    for (const std::string& line : Lines(value)) {
      generator->PrintLiteral("\n  ");
      FastFieldValuePrinter::PrintString(line, generator);
    }
  }
};

bool StartsWith(const std::string& text, const std::string& prefix) {
  return text.rfind(prefix, 0) == 0;
}

}  // namespace

ProgramBuilder::ProgramBuilder(const std::string& name) { proto_.set_module_name(name); }

wire::BufferAllocationProto* ProgramBuilder::NewAllocation(int64_t size) {
  auto* allocations = proto_.mutable_buffer_allocations();
  wire::BufferAllocationProto* allocation = allocations->add_values();
  allocation->set_index(allocations->values_size() - 1);
  allocation->set_size(size);
  return allocation;
}

Ref ProgramBuilder::AddParameter(const std::string& name, wire::PrimitiveType type,
                                 const Dims& dims) {
  Ref ref{.type = type, .dims = dims};
  wire::BufferAllocationProto* allocation = NewAllocation(ref.size());
  ref.allocation = allocation->index();
  allocation->set_is_entry_computation_parameter(true);
  allocation->set_parameter_number(proto_.program_shape().parameters_size());
  SkipParameter(name, type, dims);
  return ref;
}

void ProgramBuilder::SkipParameter(const std::string& name, wire::PrimitiveType type,
                                   const Dims& dims) {
  wire::ProgramShapeProto* shape = proto_.mutable_program_shape();
  *shape->add_parameters() = ShapeOf(type, dims);
  shape->add_parameter_names(name);
}

Ref ProgramBuilder::AddResult(wire::PrimitiveType type, const Dims& dims) {
  Ref ref{.type = type, .dims = dims};
  wire::BufferAllocationProto* allocation = NewAllocation(ref.size());
  ref.allocation = allocation->index();
  allocation->set_maybe_live_out(true);
  results_.push_back({ShapeOf(type, dims), ref.allocation});
  return ref;
}

void ProgramBuilder::AddAliasedResult(const Ref& parameter, int64_t parameter_number) {
  wire::BufferAllocationProto* allocation =
      proto_.mutable_buffer_allocations()->mutable_values(
          static_cast<int>(parameter.allocation));
  allocation->set_maybe_live_out(true);
  allocation->set_is_parameter_aliased_with_output(true);
  results_.push_back({ShapeOf(parameter.type, parameter.dims), parameter.allocation, true,
                      parameter_number});
}

Ref ProgramBuilder::AddTemp(wire::PrimitiveType type, const Dims& dims) {
  Ref ref{.type = type, .dims = dims};
  ref.allocation = NewAllocation(ref.size())->index();
  return ref;
}

Ref ProgramBuilder::AddConstant(wire::PrimitiveType type, const Dims& dims,
                                const std::string& bytes) {
  Ref ref{.type = type, .dims = dims};
  wire::BufferAllocationProto* allocation = NewAllocation(ref.size());
  ref.allocation = allocation->index();
  allocation->set_is_constant(true);
  wire::GpuExecutableProto::ConstantInfoProto* constant = proto_.add_constants();
  constant->set_symbol_name(absl::StrCat("constant_", proto_.constants_size() - 1));
  constant->mutable_content()->set_data(bytes);
  constant->set_allocation_index(ref.allocation);
  return ref;
}

Ref ProgramBuilder::AddConstantScalar(int32_t value) {
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return AddConstant(wire::S32, {}, bytes);
}

void ProgramBuilder::AddOutput(const Result& result, const std::vector<int64_t>& index,
                               wire::GpuExecutableProto* proto) const {
  auto* entry = proto->add_output_info_map();
  for (int64_t i : index) entry->mutable_shape_index()->add_indexes(i);
  entry->mutable_shape_index();
  auto* info = entry->mutable_output_info();
  info->set_allocation_index(result.allocation);
  if (!result.aliased) return;
  auto* alias = info->mutable_alias_config();
  alias->set_parameter_number(result.parameter_number);
  alias->set_kind(wire::MAY_ALIAS);
}

wire::GpuExecutableProto ProgramBuilder::Build() const {
  wire::GpuExecutableProto proto = proto_;
  wire::ShapeProto* shape = proto.mutable_program_shape()->mutable_result();
  proto.mutable_buffer_allocations();
  if (results_.size() == 1) {
    *shape = results_[0].shape;
    AddOutput(results_[0], {}, &proto);
  } else {
    shape->set_element_type(wire::TUPLE);
    wire::BufferAllocationProto* table = proto.mutable_buffer_allocations()->add_values();
    table->set_index(proto.buffer_allocations().values_size() - 1);
    table->set_size(static_cast<int64_t>(results_.size()) * 8);
    table->set_is_tuple(true);
    table->set_maybe_live_out(true);
    AddOutput({.allocation = table->index()}, {}, &proto);
    for (size_t i = 0; i < results_.size(); ++i) {
      *shape->add_tuple_shapes() = results_[i].shape;
      AddOutput(results_[i], {static_cast<int64_t>(i)}, &proto);
    }
  }
  int64_t next = 1;
  Number(proto.mutable_thunks(), &next);
  return proto;
}

std::string ToText(const wire::GpuExecutableProto& proto) {
  google::protobuf::TextFormat::Printer printer;
  const auto* data = wire::CudaPtxProto::descriptor()->FindFieldByName("data");
  auto ptx_printer = std::make_unique<PtxPrinter>();
  if (printer.RegisterFieldValuePrinter(data, ptx_printer.get())) {
    static_cast<void>(ptx_printer.release());  // the printer has taken it
  }
  std::string text;
  EXPECT_TRUE(printer.PrintToString(proto, &text));
  // No blank before the line break that PtxPrinter starts with.
  return absl::StrReplaceAll(text, {{"data: \n", "data:\n"}});
}

std::string OneEntry(const std::string& ptx, const std::string& entry) {
  std::string result;
  bool found = false;
  bool skipping = false;
  for (const std::string& line : Lines(ptx)) {
    if (StartsWith(line, ".visible .entry ")) {
      skipping = !StartsWith(line, ".visible .entry " + entry + "(");
      found = found || !skipping;
    }
    const bool comment = StartsWith(line, "//") || StartsWith(line, "\t//");
    if (!skipping && !comment && line != "\n") result += line;
    if (StartsWith(line, "}")) skipping = false;
  }
  EXPECT_TRUE(found) << "no entry " << entry;
  return result;
}

}  // namespace thunky::program_tests
