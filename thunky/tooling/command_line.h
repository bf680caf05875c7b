// The command line `thunky`.
#ifndef THUNKY_TOOLING_COMMAND_LINE_H_
#define THUNKY_TOOLING_COMMAND_LINE_H_

#include "thunky/tooling/console.h"
#include "thunky/tooling/device_catalog.h"

namespace thunky::tooling {

// Parses the arguments and does what they say. Errors have been printed when it
// returns.
ExitCode RunCommandLine(int argc, const char* const* argv, const DeviceCatalog& devices,
                        Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMAND_LINE_H_
