// Launches of the small kernels that test programs are made of.
#ifndef THUNKY_TEST_PROGRAMS_STEP_KERNELS_H_
#define THUNKY_TEST_PROGRAMS_STEP_KERNELS_H_

#include <cstdint>

#include "test/programs/thunk_protos.h"

namespace thunky::program_tests {

// *counter += amount
wire::ThunkProto AddTo(const Ref& counter, int32_t amount);
// out[i] = in[i] + amount
wire::ThunkProto AddEach(const Ref& in, const Ref& out, int32_t amount);
// out[i] = in[i] * factor
wire::ThunkProto ScaleEach(const Ref& in, const Ref& out, int32_t factor);
// *predicate = *counter < limit
wire::ThunkProto LessThan(const Ref& counter, const Ref& predicate, int32_t limit);
// *predicate = *counter < *limit
wire::ThunkProto LessThanAt(const Ref& counter, const Ref& limit, const Ref& predicate);
// log[(*length)++] = value
wire::ThunkProto AppendTo(const Ref& log, const Ref& length, int32_t value);
wire::ThunkProto TrapWhenEqual(const Ref& counter, int32_t value);
wire::ThunkProto EndlessWhenEqual(const Ref& counter, int32_t value);

// add_to of steps.ptx as a call, to be changed by the caller.
KernelCall AddToCall(const Ref& counter, int32_t amount);

}  // namespace thunky::program_tests

#endif  // THUNKY_TEST_PROGRAMS_STEP_KERNELS_H_
