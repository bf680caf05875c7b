// A compiler library for tests: it compiles nothing. What it answers is in what it is
// given.
//
// Export: lines of the module that begin with "//= " are the executable, in text form.
// Without such lines the answer is a line that says what was asked for.
// Check: the same, with JSON in the lines.
// Import: the answer is a module that says what was asked for.
// A file with "FAIL" in it makes either fail with two lines, one with "MUTE" without
// any; "WARN" adds a warning.
#include <cstring>
#include <sstream>
#include <string>

#include "thunky/capi/compiler.h"

struct thunky_result {
  bool ok = true;
  std::string output;
  std::string diagnostics;
};

namespace {

#ifndef FAKE_COMPILER_ABI_VERSION
#define FAKE_COMPILER_ABI_VERSION THUNKY_COMPILER_ABI_VERSION
#endif

std::string Text(thunky_bytes bytes) {
  return bytes.size == 0 ? "" : std::string(bytes.data, bytes.size);
}

bool Has(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

// The kernels' files: "a.ptx:120".
std::string List(const thunky_file* kernels, size_t count) {
  std::ostringstream list;
  for (size_t i = 0; i < count; ++i) {
    const char* slash = std::strrchr(kernels[i].name, '/');
    list << " " << (slash == nullptr ? kernels[i].name : slash + 1) << ":"
         << kernels[i].content.size;
  }
  return list.str();
}

// A result for `file`, failed where the file asks for it.
thunky_result* Begin(thunky_file file) {
  auto* result = new thunky_result;
  const std::string content = Text(file.content);
  if (Has(content, "FAIL")) {
    result->ok = false;
    result->diagnostics = std::string(file.name) +
                          ":3:5: expected an operation, found 'FAIL'\n  a detail\n";
  } else if (Has(content, "MUTE")) {
    result->ok = false;
  } else if (Has(content, "WARN")) {
    result->diagnostics = std::string(file.name) + ":1:1: warning: of no use\n";
  }
  return result;
}

}  // namespace

uint32_t thunky_compiler_abi_version(void) { return FAKE_COMPILER_ABI_VERSION; }
const char* thunky_compiler_llvm_version(void) { return "99.1.2"; }

thunky_result* thunky_compiler_import(thunky_file executable,
                                      const thunky_import_options* options) {
  thunky_result* result = Begin(executable);
  if (!result->ok) return result;
  std::ostringstream module;
  module << "module { // import " << executable.content.size << " bytes, format "
         << options->format << ", at most " << options->max_decoded_bytes << ", kernels"
         << List(options->kernels, options->kernel_count) << "\n}\n";
  result->output = module.str();
  return result;
}

thunky_result* thunky_compiler_export(thunky_file module,
                                      const thunky_export_options* options) {
  thunky_result* result = Begin(module);
  if (!result->ok) return result;
  std::istringstream lines(Text(module.content));
  const std::string mark = "//= ";
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(mark, 0) == 0) result->output += line.substr(mark.size()) + "\n";
  }
  if (!result->output.empty()) return result;
  std::ostringstream text;
  text << "export form " << options->form << ", code " << options->code << ", gpu "
       << (options->compute_capability == nullptr ? "none" : options->compute_capability)
       << ", folder " << (options->base_folder == nullptr ? "none" : options->base_folder)
       << ", kernels" << List(options->kernels, options->kernel_count) << "\n";
  result->output = text.str();
  return result;
}

thunky_result* thunky_compiler_check(thunky_file program,
                                     const thunky_check_options* options) {
  thunky_result* result = Begin(program);
  if (!result->ok) return result;
  std::istringstream lines(Text(program.content));
  const std::string mark = "//= ";
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(mark, 0) == 0) result->output += line.substr(mark.size()) + "\n";
  }
  if (!result->output.empty()) return result;
  std::ostringstream text;
  text << R"({"errors": 0, "warnings": 1, "hazards": [{"kind": "overwritten_unread", )"
       << R"("severity": "warning", "message": "check )"
       << (options->executable != 0 ? "executable" : "module") << ", at most "
       << options->max_decoded_bytes << ", folder "
       << (options->base_folder == nullptr ? "none" : options->base_folder) << ", kernels"
       << List(options->kernels, options->kernel_count) << R"("}]})";
  result->output = text.str();
  return result;
}

int thunky_result_ok(const thunky_result* result) { return result->ok ? 1 : 0; }
thunky_bytes thunky_result_output(const thunky_result* result) {
  return {result->output.data(), result->output.size()};
}
thunky_bytes thunky_result_diagnostics(const thunky_result* result) {
  return {result->diagnostics.data(), result->diagnostics.size()};
}
void thunky_result_free(thunky_result* result) { delete result; }
