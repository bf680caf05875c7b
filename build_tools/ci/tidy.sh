#!/usr/bin/env bash
# clang-tidy over the sources that differ from origin/main, or over all of them.
# The last line is "N passed, N failed", counted in files.
#
#   build_tools/ci/tidy.sh [--all] [SECONDS]   no new file is begun after SECONDS
#
# Takes the compile commands of clang, without precompiled headers. What was clean
# is remembered (tidy_unit.py), so a run that was stopped goes on where it was.
set -euo pipefail
cd "$(dirname "$0")/../.."
all=0
if [[ ${1-} == --all ]]; then
  all=1
  shift
fi
readonly all limit=${1:-}
readonly build=build-tidy

if ! ((all)) && ! base=$(git merge-base HEAD origin/main); then
  echo "no origin/main to compare with, so nothing counts as changed; --all takes every file"
  echo "0 passed, 0 failed"
  exit 0
fi

cmake --preset tidy --log-level=WARNING >/dev/null

# Headers that the build generates; nothing is compiled.
mapfile -t generated < <(
  ninja -C "$build" -t targets all | sed -nE 's/^([^/].*\.(pb\.h|inc)): CUSTOM_COMMAND$/\1/p')
ninja -C "$build" --quiet "${generated[@]}"

# Files of the difference, or every file by the time of its last commit.
candidates() {
  if ((all)); then
    git log --name-only --diff-filter=d --pretty=format:
    git ls-files
  else
    git diff --name-only --diff-filter=d "$base"
  fi
}

# The unit to analyse for a file: a header's is the one that only includes it.
unit_of() {
  case $1 in
    *.cc) echo "$1" ;;
    *.h) echo "$build/header_tests/${1//[^A-Za-z0-9]/_}.cc" ;;
  esac
}

mapfile -t units < <(
  candidates | grep -E '^(thunky|tools|test|examples)/.*\.(h|cc)$' | awk '!seen[$0]++' |
    while read -r file; do
      unit=$(unit_of "$file")
      if [[ -f $file && -f $unit ]] &&
          grep -qF "$PWD/$unit\"" "$build/compile_commands.json"; then
        echo "$unit"
      fi
    done
)

# Leaves "passed" or "failed" in a file of its own; neither when time is up.
analyse() {
  local unit=$1 results=$2 deadline=$3 build=$4
  [[ -z $deadline ]] || (($(date +%s) < deadline)) || return 0
  local log=$results/${unit//\//_}.log
  if python3 -B build_tools/ci/tidy_unit.py "$build" "$unit" >"$log" 2>&1; then
    touch "$log.passed"
  else
    touch "$log.failed"
    echo "failed: $unit"
    cat "$log"
  fi
}
export -f analyse

results=$(mktemp -d)
readonly results
trap 'rm -rf "$results"' EXIT
readonly deadline=${limit:+$(($(date +%s) + limit))}
echo "clang-tidy over ${#units[@]} units"
if ((${#units[@]} > 0)); then
  printf '%s\n' "${units[@]}" |
    xargs -P "$(nproc)" -I{} bash -c 'analyse "$@"' _ {} "$results" "$deadline" "$build"
fi
passed=$(find "$results" -name '*.passed' | wc -l)
failed=$(find "$results" -name '*.failed' | wc -l)
rest=$((${#units[@]} - passed - failed))
((rest == 0)) || echo "$rest units not reached in $limit s"
echo "$passed passed, $failed failed"
((failed == 0))
