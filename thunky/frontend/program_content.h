// What a program is made of. Not public: needs MLIR.
#ifndef THUNKY_FRONTEND_PROGRAM_CONTENT_H_
#define THUNKY_FRONTEND_PROGRAM_CONTENT_H_

#include <memory>
#include <string>
#include <vector>

#include "thunky/frontend/module.h"
#include "thunky/frontend/program.h"

namespace thunky {

struct Program::Content {
  std::string name;
  SourceLocation where;  // of the jit; unknown for a file
  std::shared_ptr<const frontend::Module> module;
  std::vector<ProgramArgument> arguments;
  // Whether an argument is bytes to whoever passes it: it says no type that refs have.
  std::vector<bool> bare;
  // It has parameters and results of its own, as what JAX compiles: call() takes it.
  bool has_results = false;
  // How deep its regions nest; that of @main counts.
  int depth = 1;
};

namespace frontend {

// The inside of programs, for what makes and merges them.
struct ProgramAccess {
  static const Program::Content& content(const Program& program) {
    return *program.content_;
  }
  // Of a module that is complete and verified.
  static Program make(std::string name, const SourceLocation& where,
                      std::shared_ptr<const Module> module);
};

}  // namespace frontend
}  // namespace thunky

#endif  // THUNKY_FRONTEND_PROGRAM_CONTENT_H_
