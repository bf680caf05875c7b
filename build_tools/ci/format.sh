#!/usr/bin/env bash
# Holds the C++ sources to .clang-format; --fix rewrites them.
# The last line is "N passed, N failed", counted in files.
set -euo pipefail
cd "$(dirname "$0")/../.."

mapfile -t files < <(find thunky tools test -name '*.h' -o -name '*.cc' | grep -v '^test/fixtures/' | sort)
if ((${#files[@]} == 0)); then
  echo "failed: no sources found"
  echo "0 passed, 1 failed"
  exit 1
fi
if [[ ${1-} == --fix ]]; then
  clang-format-22 -i "${files[@]}"
  exit 0
fi

status=0
complaints=$(clang-format-22 --dry-run --Werror "${files[@]}" 2>&1) || status=$?
mapfile -t bad < <(sed -nE 's/^([^:]+):[0-9]+:[0-9]+: error: .*/\1/p' <<<"$complaints" | sort -u)
if ((status != 0 && ${#bad[@]} == 0)); then
  echo "$complaints"
  echo "0 passed, 1 failed"
  exit 1
fi
for file in "${bad[@]}"; do
  echo "failed: $file is not formatted (make format rewrites it)"
done
echo "$((${#files[@]} - ${#bad[@]})) passed, ${#bad[@]} failed"
((${#bad[@]} == 0))
