// The arguments of a program, from array files.
#ifndef THUNKY_TOOLING_PROGRAM_INPUTS_H_
#define THUNKY_TOOLING_PROGRAM_INPUTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/runtime/executable.h"
#include "thunky/tooling/argument_value.h"

namespace thunky::tooling {

// One value for each of executable.arguments(). `files` are .npy files in the
// order of the parameters, or one .npz file with in0, in1, ... (its out* are left
// alone). Parameters that no file gives are made up by `fill`; results start as
// ArgumentValue::Ones.
//
// InvalidArgument, before any array is read: too few or too many (with expected
// and given count), another shape or type than the parameter's (naming it), names
// that are neither in* nor out*. Then errors of the files themselves. Every error
// begins with the path of the program or of the array file that it is about.
absl::StatusOr<std::vector<ArgumentValue>> ReadInputs(
    const runtime::Executable& executable, const std::string& program_path,
    const std::vector<std::string>& files, const Fill& fill);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_PROGRAM_INPUTS_H_
