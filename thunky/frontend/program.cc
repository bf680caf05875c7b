#include "thunky/frontend/program.h"

#include <algorithm>
#include <map>
#include <utility>

#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/shapes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/argument_effects.h"
#include "thunky/frontend/program_content.h"
#include "thunky/frontend/splice.h"
#include "thunky/frontend/trace.h"

namespace thunky {
namespace {

// The type that an argument says it has; nothing for bare bytes, and for a layout that
// refs have no word for.
std::optional<Type> type_of(mlir::func::FuncOp main, unsigned argument) {
  const int64_t size =
      llvm::cast<compiler::BufferType>(main.getArgument(argument).getType()).getSize();
  if (auto attribute = main.getArgAttrOfType<mlir::TypeAttr>(argument, compiler::kType)) {
    const auto tensor = llvm::cast<mlir::RankedTensorType>(attribute.getValue());
    const auto element = ElementType::from_code(
        static_cast<int>(compiler::elementTypeOf(tensor.getElementType())));
    const auto layout =
        main.getArgAttrOfType<mlir::DenseI64ArrayAttr>(argument, compiler::kLayout);
    if (element && !layout) {
      Type type(*element, tensor.getShape().vec());
      if (type.problem().empty() && type.byte_size() == size) return type;
    }
  }
  return std::nullopt;
}

void describe_arguments(mlir::func::FuncOp main, std::vector<ProgramArgument>& arguments,
                        std::vector<bool>& bare) {
  const std::vector<compiler::ArgumentEffect> effects = compiler::effectsOf(main);
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    const auto name = main.getArgAttrOfType<mlir::StringAttr>(i, compiler::kName);
    const std::optional<Type> type = type_of(main, i);
    const int64_t size =
        llvm::cast<compiler::BufferType>(main.getArgument(i).getType()).getSize();
    bare.push_back(!type.has_value());
    arguments.push_back({name ? name.getValue().str() : "",
                         type.value_or(u8(size)),
                         {effects[i].read, effects[i].written, effects[i].overwritten},
                         main.getArgAttr(i, compiler::kScratch) != nullptr});
  }
}

// Numbers parameters and results; whether there are any.
bool describe_roles(mlir::func::FuncOp main, std::vector<ProgramArgument>& arguments) {
  // By their numbers and their paths through nested tuples: a module lists them in any
  // order. What is there twice is an error when the program is lowered, and must not be
  // taken for scratch before.
  std::multimap<std::vector<int64_t>, ProgramArgument*> parameters;
  std::multimap<std::vector<int64_t>, ProgramArgument*> results;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (auto parameter =
            main.getArgAttrOfType<mlir::IntegerAttr>(i, compiler::kParameter)) {
      std::vector<int64_t> place = {parameter.getInt()};
      if (auto path = main.getArgAttrOfType<mlir::DenseI64ArrayAttr>(
              i, compiler::kParameterIndex)) {
        llvm::append_range(place, path.asArrayRef());
      }
      parameters.emplace(std::move(place), &arguments[i]);
    }
    const auto paths = main.getArgAttrOfType<mlir::ArrayAttr>(i, compiler::kResults);
    if (!paths) continue;
    for (const mlir::Attribute path : paths) {
      results.emplace(llvm::cast<mlir::DenseI64ArrayAttr>(path).asArrayRef().vec(),
                      &arguments[i]);
    }
  }
  int number = 0;
  for (const auto& [place, argument] : parameters) argument->parameter = number++;
  number = 0;
  for (const auto& [path, argument] : results) argument->results.push_back(number++);
  return !parameters.empty() || !results.empty();
}

// Traces bound it, and so do those who read text and executables.
int depth_of(mlir::Region& region) {
  int deepest = 0;
  for (mlir::Operation& op : region.getOps()) {
    for (mlir::Region& inner : op.getRegions()) {
      deepest = std::max(deepest, depth_of(inner));
    }
  }
  return deepest + 1;
}

}  // namespace

Program frontend::ProgramAccess::make(std::string name, const SourceLocation& where,
                                      std::shared_ptr<const Module> module) {
  mlir::func::FuncOp main = module->main();
  auto content = std::make_shared<Program::Content>();
  content->name = std::move(name);
  content->where = where;
  describe_arguments(main, content->arguments, content->bare);
  content->has_results = describe_roles(main, content->arguments);
  content->depth = depth_of(main.getBody());
  content->module = std::move(module);
  return Program(std::move(content));
}

const std::string& Program::name() const { return content_->name; }

const std::vector<ProgramArgument>& Program::arguments() const {
  return content_->arguments;
}

NamedRefs::NamedRefs(std::span<const Parameter> names, std::span<const Ref> refs) {
  for (size_t i = 0; i < names.size(); ++i) refs_.emplace_back(names[i].name, refs[i]);
}

const Ref& NamedRefs::operator()(std::string_view name,
                                 const std::source_location& where) const {
  std::string known;
  for (const auto& [given, ref] : refs_) {
    if (given == name) return ref;
    known += (known.empty() ? "'" : ", '") + given + "'";
  }
  throw Error(ErrorCode::invalid_argument,
              "there is no scratch '" + std::string(name) + "'; there is " +
                  (known.empty() ? std::string("none") : known),
              where);
}

namespace frontend {
namespace {

void check_names(std::span<const Parameter> arguments, std::span<const Parameter> scratch,
                 const SourceLocation& where) {
  std::map<std::string_view, int> names;
  for (const auto& list : {arguments, scratch}) {
    for (const Parameter& parameter : list) {
      if (parameter.name.empty() || ++names[parameter.name] == 1) continue;
      throw Error(ErrorCode::invalid_argument,
                  "jit: two arguments are called '" + parameter.name + "'", where);
    }
  }
}

}  // namespace

Tracing::Tracing(std::span<const Parameter> arguments, std::span<const Parameter> scratch,
                 const JitOptions& options, const std::source_location& where)
    : trace_(new Trace(options.name.empty() ? "main" : options.name, where),
             [](Trace* trace) { delete trace; }) {
  check_names(arguments, scratch, where);
  for (const Parameter& parameter : arguments) {
    refs_.push_back(trace_->add_argument(parameter, where));
  }
  for (const Parameter& parameter : scratch) {
    refs_.push_back(trace_->add_scratch(parameter.type, parameter.name, where));
  }
}

Tracing::~Tracing() = default;

Program Tracing::finish() {
  const Origin origin = trace_->origin();
  return ProgramAccess::make(origin.program, origin.where, trace_->finish());
}

}  // namespace frontend
}  // namespace thunky
