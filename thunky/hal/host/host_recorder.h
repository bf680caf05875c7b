// The immediate recorder: does what it is told at once, on the calling thread.
#ifndef THUNKY_HAL_HOST_HOST_RECORDER_H_
#define THUNKY_HAL_HOST_HOST_RECORDER_H_

#include <memory>

#include "thunky/hal/device.h"
#include "thunky/hal/recorder.h"

namespace thunky::hal {

// `options` and what it points to outlive the recorder. Device addresses are
// pointers of this process.
std::unique_ptr<Recorder> MakeHostRecorder(const RunOptions& options);

}  // namespace thunky::hal

#endif  // THUNKY_HAL_HOST_HOST_RECORDER_H_
