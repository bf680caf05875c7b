// The programs in test/fixtures, for tests.
#ifndef THUNKY_CONTAINER_FIXTURE_FILES_H_
#define THUNKY_CONTAINER_FIXTURE_FILES_H_

#include <string>
#include <vector>

namespace thunky {

// The whole file; a test failure when there is none. `path` is below test/.
std::string TestFile(const std::string& path);

// "jax-0.11.2/saxpy" and so on, sorted: every folder below test/fixtures that has an
// executable.bin.
std::vector<std::string> FixtureNames();

// The executable.bin of a program.
std::string FixtureExecutable(const std::string& name);

}  // namespace thunky

#endif  // THUNKY_CONTAINER_FIXTURE_FILES_H_
