// What an imported executable is when it is exported again, stated without the
// compiler: the list of everything that may differ. Two executables that should be
// equal are compared as bytes, so that unknown fields count.
#ifndef THUNKY_COMPILER_TRANSLATE_EXPECTED_EXPORT_H_
#define THUNKY_COMPILER_TRANSLATE_EXPECTED_EXPORT_H_

#include <string>

#include "proto/executable.pb.h"

namespace thunky::compiler {

// The changes, and no others:
//
// - allocations are numbered anew: parameters, results in memory of their own,
//   temporaries, constants, and the rest in its old order; lists of them are sorted;
// - a result that is a constant gets an allocation of its own, with a copy at the end;
// - sequential thunks are flattened, outside of payloads;
// - thunk ids count from 1, parents first;
// - ids of asynchronous work count from 1 in the order of the starts;
// - constants have their content inline;
// - a `kernel` whose code is in `asm_text` or `binary` is a `custom_kernel` with it.
wire::GpuExecutableProto expectedExport(const wire::GpuExecutableProto& original);

// The runtime's form with each kernel's code put back from the private table. That
// every entry is used, and `binary` and `asm_text` are empty, is checked here.
wire::GpuExecutableProto withCodeInline(const wire::GpuExecutableProto& runtime);

// Ids of asynchronous work in the order of their starts.
void numberAsyncIds(wire::GpuExecutableProto& executable);

// Empty when the two have the same bytes, else where they differ.
std::string differenceOf(const google::protobuf::Message& expected,
                         const google::protobuf::Message& actual);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_EXPECTED_EXPORT_H_
