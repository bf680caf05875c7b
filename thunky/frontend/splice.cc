#include "thunky/frontend/splice.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "thunky/compiler/analysis/program_walk.h"
#include "thunky/frontend/program_content.h"

namespace thunky {
namespace frontend {

std::string describe(const Program& program) {
  const Program::Content& content = ProgramAccess::content(program);
  return Origin{content.name, content.where}.describe();
}

namespace {

// "2 'x' (f32[4])"
std::string describe_alone(const Program& program, size_t number) {
  const ProgramArgument& argument = program.arguments()[number];
  std::string text = std::to_string(number);
  if (!argument.name.empty()) text += " '" + argument.name + "'";
  return text + " (" + argument.type.to_string() + ")";
}

}  // namespace

std::string describe_argument(const Program& program, size_t number) {
  return "argument " + describe_alone(program, number) + " of " + describe(program);
}

Ref bind_argument(Trace& trace, const Program& program, size_t number,
                  const Operand& operand, const SourceLocation& where) {
  const ProgramArgument& argument = program.arguments()[number];
  const auto* values = std::get_if<HostArray>(&operand.content());
  const Type& type =
      values != nullptr ? values->type() : std::get<Ref>(operand.content()).type();
  const bool fits =
      type == argument.type || (ProgramAccess::content(program).bare[number] &&
                                type.byte_size() == argument.type.byte_size());
  if (!fits) {
    throw Error(ErrorCode::invalid_argument,
                describe_argument(program, number) + " is given " + type.to_string(),
                where);
  }
  if (values == nullptr) return std::get<Ref>(operand.content());
  if (argument.effect.written) {
    throw Error(ErrorCode::invalid_argument,
                describe_argument(program, number) +
                    " is written, and is given host data; a ref is needed",
                where);
  }
  const std::span<const std::byte> bytes = values->bytes();
  return trace.add_constant(
      type, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
      where);
}

namespace {

// `ref` is one of the trace's, and `what` is written.
void check_writable(const Ref& ref, const std::string& what,
                    const SourceLocation& where) {
  if (!Trace::is_constant(ref)) return;
  throw Error(ErrorCode::invalid_argument,
              what + " is written, and is given a constant; constants are read only",
              where);
}

llvm::SmallVector<mlir::Value> merge_into(Trace& trace, const Program& program,
                                          llvm::ArrayRef<mlir::Value> operands,
                                          const SourceLocation& where) {
  const Program::Content& content = ProgramAccess::content(program);
  if (trace.depth() + content.depth - 1 > compiler::kMaxWalkDepth) {
    throw Error(ErrorCode::invalid_argument,
                "call of " + describe(program) + ": its regions nest " +
                    std::to_string(content.depth) + " deep, and it is called in " +
                    std::to_string(trace.depth()) + "; together, more than " +
                    std::to_string(compiler::kMaxWalkDepth) + " are not allowed",
                where);
  }
  return trace.merge(content.module, operands, trace.location(content.name, where),
                     where);
}

// One argument of the merged program on its way in and out.
struct Passage {
  size_t number = 0;  // of the merged program's arguments
  Ref given;          // what the caller named
  Ref used;           // what the merged program works on
  bool written = false;
  bool output = false;

  // Whether the caller's bytes are copied in before, or out after.
  bool detour = false;
};

bool overlap(const Ref& a, const Ref& b) {
  return a.same_root(b) && a.byte_size() > 0 && b.byte_size() > 0 &&
         a.byte_offset() < b.byte_offset() + b.byte_size() &&
         b.byte_offset() < a.byte_offset() + a.byte_size();
}

class Call {
 public:
  Call(Trace& trace, const Program& program, const CallOptions& options,
       const SourceLocation& where)
      : trace_(trace),
        program_(program),
        content_(ProgramAccess::content(program)),
        options_(options),
        where_(where) {}

  std::vector<Ref> run(const std::vector<Operand>& arguments) {
    sort_arguments();
    take_parameters(arguments);
    take_outputs();
    check_overlaps();
    for (Passage& passage : passages_) enter(passage);
    merge();
    for (const Passage& passage : passages_) leave(passage);
    return results();
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw Error(ErrorCode::invalid_argument, message, where_);
  }

  void sort_arguments() {
    for (size_t i = 0; i < content_.arguments.size(); ++i) {
      const ProgramArgument& argument = content_.arguments[i];
      if (argument.parameter) parameters_[*argument.parameter] = i;
      for (const int result : argument.results) results_[result] = i;
    }
  }

  void take_parameters(const std::vector<Operand>& arguments) {
    if (arguments.size() != parameters_.size()) {
      constexpr size_t kMaxListed = 16;
      std::string list;
      for (size_t i = 0; i < std::min(kMaxListed, parameters_.size()); ++i) {
        list += "\n  " + describe_alone(program_, parameters_.at(static_cast<int>(i)));
      }
      if (parameters_.size() > kMaxListed) list += "\n  ...";
      fail("call of " + describe(program_) + " with " + std::to_string(arguments.size()) +
           " arguments for " + std::to_string(parameters_.size()) +
           " parameters:" + list);
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      const size_t number = parameters_.at(static_cast<int>(i));
      const Ref ref = bind_argument(trace_, program_, number, arguments[i], where_);
      // Fails for a ref of another trace before anything is added.
      trace_.check(ref, "call", where_);
      const bool written = content_.arguments[number].effect.written;
      if (written) check_writable(ref, describe_argument(program_, number), where_);
      passages_.push_back({.number = number,
                           .given = ref,
                           .used = ref,
                           .written = written,
                           .detour = ref.byte_offset() % 16 != 0});
    }
  }

  void take_outputs() {
    if (options_.outputs.size() > results_.size()) {
      fail("call of " + describe(program_) + ": " +
           std::to_string(options_.outputs.size()) + " outputs are named for " +
           std::to_string(results_.size()) + " results");
    }
    for (size_t i = 0; i < options_.outputs.size(); ++i) {
      if (!options_.outputs[i]) continue;
      const size_t number = results_.at(static_cast<int>(i));
      const std::string what =
          "call of " + describe(program_) + ": result " + std::to_string(i);
      if (content_.arguments[number].parameter) {
        fail(what + " takes the memory of " + describe_argument(program_, number) +
             "; no output can be named for it");
      }
      const Ref& ref = *options_.outputs[i];
      const Type& type = content_.arguments[number].type;
      const bool fits = ref.type() == type ||
                        (content_.bare[number] && ref.byte_size() == type.byte_size());
      if (!fits) {
        fail(what + " is " + type.to_string() + ", and its output " +
             ref.type().to_string());
      }
      trace_.check(ref, "call", where_);
      check_writable(ref, what, where_);
      const auto taken = [&](const Passage& p) { return p.number == number; };
      if (std::any_of(passages_.begin(), passages_.end(), taken)) {
        fail(what +
             " shares its memory with a result in front of it, whose output is "
             "named already");
      }
      passages_.push_back({.number = number,
                           .given = ref,
                           .used = ref,
                           .written = true,
                           .output = true,
                           .detour = ref.byte_offset() % 256 != 0});
    }
  }

  std::string describe_passage(const Passage& passage) const {
    return (passage.output ? "the output for " : "") +
           describe_argument(program_, passage.number) + " at bytes [" +
           std::to_string(passage.given.byte_offset()) + ", " +
           std::to_string(passage.given.byte_offset() + passage.given.byte_size()) + ")";
  }

  // The merged program was compiled for memory that is its own. One ref in two places is
  // right where nothing writes it; where one place does, the other one gets a copy.
  void check_overlaps() {
    for (size_t i = 0; i < passages_.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        Passage& first = passages_[j];
        Passage& second = passages_[i];
        if (!overlap(first.given, second.given)) continue;
        if (!first.written && !second.written) continue;
        const bool same = first.given.byte_offset() == second.given.byte_offset() &&
                          first.given.byte_size() == second.given.byte_size();
        if (!same || (first.written && second.written)) {
          fail("call: " + describe_passage(second) + " overlaps " +
               describe_passage(first) + ", and " +
               (first.written ? "the latter" : "the former") + " is written");
        }
        // An output is written at the end, a parameter read in between.
        Passage& copied = first.output || second.output ? (first.output ? first : second)
                          : first.written               ? second
                                                        : first;
        copied.detour = true;
      }
    }
  }

  void enter(Passage& passage) {
    if (!passage.detour) return;
    passage.used = trace_.add_scratch(passage.given.type(), "", where_);
    if (!passage.output) copy_bytes(passage.given, passage.used);
  }

  void leave(const Passage& passage) {
    if (passage.detour && passage.written) copy_bytes(passage.used, passage.given);
  }

  void copy_bytes(const Ref& from, const Ref& to) {
    trace_.emit<compiler::CopyOp>(where_, trace_.location(where_),
                                  trace_.value(from, "call", where_),
                                  trace_.value(to, "call", where_), mlir::UnitAttr(),
                                  mlir::ArrayAttr(), mlir::ArrayAttr());
  }

  void merge() {
    llvm::SmallVector<mlir::Value> operands(content_.arguments.size());
    for (const Passage& passage : passages_) {
      operands[passage.number] = trace_.value(passage.used, "call", where_);
    }
    merged_ = merge_into(trace_, program_, operands, where_);
  }

  std::vector<Ref> results() const {
    std::vector<Ref> refs;
    for (const auto& [result, number] : results_) {
      const auto passage =
          std::find_if(passages_.begin(), passages_.end(),
                       [&](const Passage& p) { return p.number == number; });
      refs.push_back(
          passage != passages_.end()
              ? passage->given
              : trace_.ref(merged_[number], 0, content_.arguments[number].type));
    }
    return refs;
  }

  Trace& trace_;
  const Program& program_;
  const Program::Content& content_;
  const CallOptions& options_;
  const SourceLocation& where_;
  // The arguments that are them or hold them.
  std::map<int, size_t> parameters_;
  std::map<int, size_t> results_;
  std::vector<Passage> passages_;
  llvm::SmallVector<mlir::Value> merged_;
};

}  // namespace
}  // namespace frontend

using frontend::bind_argument;
using frontend::describe;
using frontend::Trace;

void Program::operator()(std::initializer_list<Operand> arguments,
                         const std::source_location& where) const {
  Trace& trace = Trace::current("call of " + describe(*this), where);
  if (content_->has_results) {
    throw Error(ErrorCode::invalid_argument,
                describe(*this) +
                    " has parameters and results of its own; call(program, ...) takes it",
                where);
  }
  size_t wanted = 0;
  while (wanted < content_->arguments.size() && !content_->arguments[wanted].scratch) {
    ++wanted;
  }
  if (arguments.size() != wanted) {
    throw Error(ErrorCode::invalid_argument,
                describe(*this) + " is given " + std::to_string(arguments.size()) +
                    " arguments and takes " + std::to_string(wanted),
                where);
  }
  llvm::SmallVector<mlir::Value> operands;
  for (const Operand& operand : arguments) {
    const size_t number = operands.size();
    const Ref ref = bind_argument(trace, *this, number, operand, where);
    operands.push_back(trace.value(ref, "call of " + describe(*this), where));
    if (content_->arguments[number].effect.written) {
      frontend::check_writable(ref, frontend::describe_argument(*this, number), where);
    }
  }
  operands.resize(content_->arguments.size());
  frontend::merge_into(trace, *this, operands, where);
}

std::vector<Ref> call(const Program& program, const std::vector<Operand>& arguments,
                      const CallOptions& options, const std::source_location& where) {
  Trace& trace = Trace::current("call", where);
  if (!frontend::ProgramAccess::content(program).has_results) {
    throw Error(ErrorCode::invalid_argument,
                "call: " + describe(program) +
                    " has no parameters and results of its own; it is called by itself: "
                    "program({x, y})",
                where);
  }
  const SourceLocation place = where;
  return frontend::Call(trace, program, options, place).run(arguments);
}

std::vector<Ref> call(const Executable& executable, const std::vector<Operand>& arguments,
                      const CallOptions& options, const std::source_location& where) {
  return call(Program::from_executable(executable, where), arguments, options, where);
}

}  // namespace thunky
