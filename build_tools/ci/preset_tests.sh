#!/usr/bin/env bash
# Configures and builds a preset of CMakePresets.json, and runs its tests.
# The last line is "N passed, N failed".
#
#   build_tools/ci/preset_tests.sh runtime-only|asan|tsan [CTEST_ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly preset=${1:?usage: $0 PRESET [CTEST_ARGUMENT...]}
shift

# The interpreter and protobuf are leak-free; what is left is a fault of ours.
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1

cmake --preset "$preset" --log-level=WARNING
cmake --build --preset "$preset"
exec build_tools/run_tests.sh "build-$preset" "$(nproc)" "$@"
