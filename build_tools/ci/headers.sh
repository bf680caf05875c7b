#!/usr/bin/env bash
# Compiles every header alone. The last line is "N passed, N failed".
#
#   build_tools/ci/headers.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly build=${1:-build}

if cmake --build "$build" --target header_tests -- -k 0; then
  echo "$(find "$build/header_tests" -name '*.cc' | wc -l) passed, 0 failed"
else
  echo "failed: a header does not compile alone (see above)"
  echo "0 passed, 1 failed"
  exit 1
fi
