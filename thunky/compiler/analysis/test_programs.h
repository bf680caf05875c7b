// Programs for tests of hazards, put together from their operations.
#ifndef THUNKY_COMPILER_ANALYSIS_TEST_PROGRAMS_H_
#define THUNKY_COMPILER_ANALYSIS_TEST_PROGRAMS_H_

#include <string>
#include <vector>

#include "thunky/compiler/analysis/hazards.h"

namespace thunky::compiler {

// A module whose @main has this body. Its arguments: %a, %b and %c of 64 bytes, %p of 1
// and %i of 4, which the caller sees; scratch %s and %t of 64 bytes and %q of 1.
std::string program(const std::string& body);

// Operations on buffers of 64 bytes; slices are "%s[0:32]".
std::string zero(const std::string& buffer);
std::string copy(const std::string& from, const std::string& to);
// A launch; arguments such as "%s read_write".
std::string kernel(const std::vector<std::string>& arguments);
std::string reduce(const std::string& from, const std::string& to);
std::string gather(const std::string& buffer);  // of one device, in place

// Asynchronous work, named by its token; `stream` is "1" or "1 communication".
std::string start(const std::string& token, const std::string& stream,
                  const std::string& body);
std::string done(const std::string& token);
// The same, joined at once.
std::string async(const std::string& token, const std::string& stream,
                  const std::string& body);
std::string cond(const std::string& yes, const std::string& no);  // on %p
std::string choose(const std::vector<std::string>& branches);     // on %i
// A loop whose condition %q its condition region writes.
std::string repeat(const std::string& body, const std::string& condition = "");
std::string repeat(int times, const std::string& body);
std::string group(const std::string& body);

// One line a hazard, "error race: memzero, copy: scratch argument 5 [0, 64)", in the
// order of the report. A failure of the test when the program cannot be checked.
std::vector<std::string> verdict(const std::string& body);
// Those of races only.
std::vector<std::string> racesOf(const std::string& body);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_ANALYSIS_TEST_PROGRAMS_H_
