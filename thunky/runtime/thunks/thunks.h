// The decode functions of all thunk kinds, for the decoder's table.
#ifndef THUNKY_RUNTIME_THUNKS_THUNKS_H_
#define THUNKY_RUNTIME_THUNKS_THUNKS_H_

#include "thunky/runtime/thunks/async_thunk.h"
#include "thunky/runtime/thunks/conditional_thunk.h"
#include "thunky/runtime/thunks/copy_thunk.h"
#include "thunky/runtime/thunks/custom_call_thunk.h"
#include "thunky/runtime/thunks/custom_kernel_thunk.h"
#include "thunky/runtime/thunks/device_id_thunk.h"
#include "thunky/runtime/thunks/dynamic_slice_fusion_thunk.h"
#include "thunky/runtime/thunks/fill_thunk.h"
#include "thunky/runtime/thunks/sequential_thunk.h"
#include "thunky/runtime/thunks/while_thunk.h"

#endif  // THUNKY_RUNTIME_THUNKS_THUNKS_H_
