#include "thunky/frontend/lowering.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "thunky/compiler/analysis/hazards.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/transforms/assign_scratch.h"
#include "thunky/compiler/translate/export.h"
#include "thunky/compiler/translate/program_parts.h"
#include "thunky/container/executable_writer.h"
#include "thunky/frontend/diagnostics.h"
#include "thunky/frontend/program_content.h"
#include "thunky/frontend/splice.h"
#include "thunky/frontend/status.h"

namespace thunky {
namespace {

void print_warning(const Finding& finding) {
  const std::string place = finding.first.to_string();
  std::fprintf(stderr, "%s%swarning: %s\n", place.c_str(), place.empty() ? "" : ": ",
               finding.message.c_str());
}

struct WarningHandler {
  std::mutex mutex;
  std::function<void(const Finding&)> function;
};

WarningHandler& warning_handler() {
  // Never destroyed: threads may still warn when the process ends.
  static auto* handler = new WarningHandler;
  return *handler;
}

void warn(const Finding& finding) {
  std::function<void(const Finding&)> function;
  {
    WarningHandler& handler = warning_handler();
    const std::lock_guard<std::mutex> lock(handler.mutex);
    function = handler.function;
  }
  function ? function(finding) : print_warning(finding);
}

Finding::Kind kind_of(compiler::HazardKind kind) {
  switch (kind) {
    case compiler::HazardKind::kRace:
      return Finding::Kind::kRace;
    case compiler::HazardKind::kUninitializedRead:
      return Finding::Kind::kUninitializedRead;
    case compiler::HazardKind::kOverwrittenUnread:
      return Finding::Kind::kOverwrittenUnread;
    case compiler::HazardKind::kCollectiveOrder:
      return Finding::Kind::kCollectiveOrder;
  }
  return Finding::Kind::kRace;
}

// Throws when the program cannot be looked into.
std::vector<Finding> findings_of(const Program& program, const SourceLocation& where) {
  const frontend::Module& source = *frontend::ProgramAccess::content(program).module;
  const std::lock_guard<std::mutex> lock(source.mutex());
  frontend::Diagnostics diagnostics(source.context());
  const mlir::FailureOr<compiler::HazardReport> report =
      compiler::findHazards(source.main());
  if (mlir::failed(report)) diagnostics.fail(ErrorCode::invalid_argument, where);
  const auto place = [](mlir::Operation* op) {
    return op == nullptr ? SourceLocation() : frontend::place_of(op->getLoc());
  };
  std::vector<Finding> findings;
  for (const compiler::Hazard& hazard : report->hazards) {
    findings.push_back({kind_of(hazard.kind),
                        hazard.severity == compiler::Severity::kError, hazard.message,
                        place(hazard.first.op), place(hazard.second.op)});
  }
  return findings;
}

// Warnings are handed out while no lock is held: who takes them may look at the program.
void check_hazards(const Program& program, const CompileOptions& options,
                   const SourceLocation& where) {
  if (!options.check_hazards) return;
  std::string errors;
  SourceLocation first;
  // Operations that one line of C++ made in a loop have the same things to say.
  std::set<std::string> said;
  for (const Finding& finding : findings_of(program, where)) {
    if (!finding.error) {
      options.on_warning ? options.on_warning(finding) : warn(finding);
      continue;
    }
    if (!said.insert(finding.message).second) continue;
    if (errors.empty()) first = finding.first;
    errors += (errors.empty() ? "" : "\n") + finding.message;
  }
  if (errors.empty()) return;
  throw Error(ErrorCode::invalid_argument, errors, first.line != 0 ? first : where);
}

// A copy of a program's module that may be changed, under the lock of its context.
class Compilation {
 public:
  Compilation(const Program& program, const SourceLocation& where)
      : program_(program),
        where_(where),
        source_(*frontend::ProgramAccess::content(program).module),
        lock_(source_.mutex()),
        diagnostics_(source_.context()),
        module_(source_.module().clone()) {}

  void assign_scratch(const CompileOptions& options) {
    compiler::ScratchReport report;
    // Allocations that some thunk may refer to by number stay as they are.
    if (options.assign_scratch && !(*module_)->hasAttr(compiler::kKeepAllocations)) {
      const mlir::FailureOr<compiler::ScratchReport> assigned =
          compiler::assignScratch(*module_);
      if (mlir::failed(assigned)) fail();
      report = *assigned;
    } else {
      report.bytesBefore = report.bytesAfter = scratch_bytes();
    }
    if (options.report == nullptr) return;
    options.report->scratch_bytes_before = report.bytesBefore;
    options.report->scratch_bytes_after = report.bytesAfter;
  }

  std::string write(const compiler::ExportOptions& options, bool complete) {
    mlir::FailureOr<ExecutableFile> file =
        compiler::exportModule(*module_, options, complete);
    if (mlir::failed(file)) fail();
    ExecutableWriteOptions write;
    write.kind = complete ? ExecutableKind::kComplete : ExecutableKind::kBinaryProto;
    absl::StatusOr<std::string> bytes = WriteExecutableFile(*file, write);
    if (!bytes.ok()) frontend::fail(bytes.status(), frontend::describe(program_), where_);
    return *std::move(bytes);
  }

 private:
  // As ScratchReport counts them.
  int64_t scratch_bytes() {
    constexpr int64_t kAlignment = 256;
    int64_t bytes = 0;
    mlir::func::FuncOp function = module_->lookupSymbol<mlir::func::FuncOp>("main");
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      if (function.getArgAttr(i, compiler::kScratch) == nullptr) continue;
      const int64_t size =
          llvm::cast<compiler::BufferType>(function.getArgument(i).getType()).getSize();
      bytes += (size + kAlignment - 1) / kAlignment * kAlignment;
    }
    return bytes;
  }

  [[noreturn]] void fail() { diagnostics_.fail(ErrorCode::invalid_argument, where_); }

  const Program& program_;
  const SourceLocation& where_;
  const frontend::Module& source_;
  const std::lock_guard<std::mutex> lock_;
  frontend::Diagnostics diagnostics_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

}  // namespace

void set_warning_handler(std::function<void(const Finding&)> handler) {
  WarningHandler& current = warning_handler();
  const std::lock_guard<std::mutex> lock(current.mutex);
  current.function = std::move(handler);
}

std::vector<Finding> Program::check(const std::source_location& where) const {
  return findings_of(*this, where);
}

std::string frontend::lower_to_bytes(const Program& program,
                                     const CompileOptions& options,
                                     const SourceLocation& where) {
  check_hazards(program, options, where);
  Compilation compilation(program, where);
  compilation.assign_scratch(options);
  compiler::ExportOptions target;
  target.code = compiler::CodePlacement::kTable;
  return compilation.write(target, /*complete=*/false);
}

Executable Program::lower(const CompileOptions& options,
                          const std::source_location& where) const {
  const std::string bytes = frontend::lower_to_bytes(*this, options, where);
  return Executable::from_bytes(std::as_bytes(std::span(bytes)), name(), {}, where);
}

LoadedExecutable Program::compile(const Device& device, const CompileOptions& options,
                                  const std::source_location& where) const {
  return lower(options, where).compile(device, where);
}

std::string frontend::lower_for_jax(const Program& program, const SaveOptions& options,
                                    const SourceLocation& where) {
  check_hazards(program, {}, where);
  Compilation compilation(program, where);
  // What JAX compiled goes back with the memory that XLA assigned.
  if (!ProgramAccess::content(program).has_results) compilation.assign_scratch({});
  compiler::ExportOptions target;
  target.code = options.prefer_ptx ? compiler::CodePlacement::kPtx
                                   : compiler::CodePlacement::kCubinFirst;
  target.computeCapability = options.compute_capability;
  return compilation.write(target, /*complete=*/true);
}

}  // namespace thunky
