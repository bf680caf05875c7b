#!/usr/bin/env bash
# Runs every test of a build folder and sums up. The last line is
# "N passed, N failed"; the exit code is 0 when nothing failed.
#
#   build_tools/run_tests.sh BUILD_FOLDER [JOBS] [CTEST_ARGUMENT...]
#
# A folder without tests is a failure.
set -euo pipefail

readonly build=${1:?usage: $0 BUILD_FOLDER [JOBS] [CTEST_ARGUMENT...]}
readonly jobs=${2:-$(nproc)}
shift $(($# < 2 ? $# : 2))

readonly here=$(cd "$(dirname "$0")" && pwd)
readonly report=$(realpath "$build")/test_report.xml
rm -f "$report"

status=0
ctest --test-dir "$build" -j "$jobs" --output-on-failure --no-tests=error \
  --output-junit "$report" "$@" || status=$?
echo
python3 -B "$here/sum_up_tests.py" "$report" --exit-code-of-ctest "$status"
