// What the shared libraries show.
#ifndef THUNKY_API_VISIBILITY_H_
#define THUNKY_API_VISIBILITY_H_

// Marks what programs that link libthunky.so or libthunky_runtime.so may use.
#define THUNKY_API __attribute__((visibility("default")))

#endif  // THUNKY_API_VISIBILITY_H_
