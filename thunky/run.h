// Everything for running programs: libthunky_runtime.so.
//
//   #include <thunky/run.h>
//
//   const thunky::Device device = thunky::Device::host();
//   const auto saxpy = thunky::Executable::load("saxpy.bin").compile(device);
//   saxpy.run({2.0f, x, y});
#ifndef THUNKY_RUN_H_
#define THUNKY_RUN_H_

// IWYU pragma: begin_exports
#include "thunky/api/argument.h"
#include "thunky/api/array.h"
#include "thunky/api/device.h"
#include "thunky/api/element_type.h"
#include "thunky/api/error.h"
#include "thunky/api/executable.h"
#include "thunky/api/future.h"
#include "thunky/api/loaded_executable.h"
#include "thunky/api/visibility.h"
// IWYU pragma: end_exports

#endif  // THUNKY_RUN_H_
