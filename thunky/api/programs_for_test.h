// Programs that the tests of the interface run.
#ifndef THUNKY_API_PROGRAMS_FOR_TEST_H_
#define THUNKY_API_PROGRAMS_FOR_TEST_H_

#include <functional>
#include <source_location>
#include <string>

#include "thunky/run.h"

namespace thunky::api_test {

// A file or folder of the project's test data.
std::string Data(const std::string& path);

// y = a * x + y over f32[4096], as JAX compiled it: arguments a, x, y, result.
Executable Saxpy();

// Programs with one argument, 'x' (s32[4]), which they change in place.
//
// Adds 1 to each element.
Executable Increment();
// Prints "hi" and a line end, once from each of two threads.
Executable Print();
// Waits for ever while the first element is 0; else adds 1 to it.
Executable Spin();
// Stores past the end of the argument.
Executable PastTheEnd();

// Two threads store to one place of shared memory, which only a checked run minds.
Executable Race();

// What `call` throws, which is an Error. Fails the test when it throws none.
Error ErrorIn(const std::function<void()>& call);

}  // namespace thunky::api_test

#endif  // THUNKY_API_PROGRAMS_FOR_TEST_H_
