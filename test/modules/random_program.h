// Programs made up at random, for tests of what changes programs.
#ifndef THUNKY_TEST_MODULES_RANDOM_PROGRAM_H_
#define THUNKY_TEST_MODULES_RANDOM_PROGRAM_H_

#include <cstdint>
#include <string>

namespace thunky::module_tests {

// The text of a module with copies, fills and small kernels on many scratch buffers, in
// loops, branches and asynchronous work. It reads no byte of scratch that nothing wrote,
// and has no races: whatever memory its buffers are in, it gives the same results.
//
// Its arguments are an input of 64 bytes, of which each word picks a branch somewhere,
// and two results of 512 bytes. The same seed gives the same program.
std::string randomProgram(uint64_t seed);

}  // namespace thunky::module_tests

#endif  // THUNKY_TEST_MODULES_RANDOM_PROGRAM_H_
