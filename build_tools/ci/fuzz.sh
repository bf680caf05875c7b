#!/usr/bin/env bash
# Builds the libFuzzer targets with clang and runs each for a while from its
# seeds, always with the same random numbers (SEED=0: others each time). The last
# line is "N passed, N failed", counted in targets.
#
#   build_tools/ci/fuzz.sh [SECONDS_A_TARGET] [TARGET...]
#
# What a run finds is kept in build-fuzz/findings/TARGET; replay one with
# build-fuzz/fuzz/TARGET FILE.
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly seconds=${1:-25}
shift $(($# > 0))

cmake --preset fuzz --log-level=WARNING
cmake --build --preset fuzz

# Every target of the build, with its folder of seeds: "NAME FOLDER".
mapfile -t targets < build-fuzz/fuzz/targets.txt
if (($# > 0)); then
  mapfile -t targets < <(printf '%s\n' "${targets[@]}" | grep -wE "^($(IFS='|'; echo "$*"))")
fi

export UBSAN_OPTIONS=print_stacktrace=1
passed=0 failed=0
for line in "${targets[@]}"; do
  read -r name seeds limit <<<"$line"
  corpus=build-fuzz/corpus/$name
  findings=build-fuzz/findings/$name
  mkdir -p "$corpus" "$findings"
  echo "fuzzing $name for $seconds s, seeds of $seeds"
  if build-fuzz/fuzz/"$name" -seed="${SEED:-1}" -max_total_time="$seconds" \
      -timeout=10 -rss_limit_mb=2048 -max_len="$limit" -print_final_stats=1 \
      -verbosity=0 -artifact_prefix="$findings/" "$corpus" "$seeds" >"$findings/log" 2>&1; then
    grep -E 'stat::(number_of_executed_units|peak_rss_mb)' "$findings/log" || true
    passed=$((passed + 1))
  else
    tail -n 40 "$findings/log"
    echo "failed: $name (input in $findings)"
    failed=$((failed + 1))
  fi
done
if ((passed + failed == 0)); then
  echo "failed: no fuzz targets"
  failed=1
fi
echo "$passed passed, $failed failed"
((failed == 0))
