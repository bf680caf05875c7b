# Runs commands as stages and sums up what they counted; for scripts to source
# from the top of the tree.
#
#   declare -rA stages=([NAME]='COMMAND' ...)   what there is
#   readonly order=(NAME ...)                   what runs when none is named
#   source build_tools/stages.sh
#   run_stages "$@"                             these, or those of `order`
#
# A stage is a command that a person can run too. It ends with "N passed, N
# failed"; so does the whole, which fails if anything did.

# Runs one stage and adds the counts of its last line. A stage that fails without
# counting a failure is one failure.
_run_stage() {
  local stage=$1 log=$2 start=$SECONDS status counts good bad
  echo "=== $stage: ${stages[$stage]}"
  ${stages[$stage]} 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  counts=$(tail -n 1 "$log" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p')
  read -r good bad <<<"${counts:-0 0}"
  if ((status != 0 && bad == 0)); then
    echo "failed: stage $stage ended with $status: ${stages[$stage]}"
    bad=1
  fi
  passed=$((passed + good)) failed=$((failed + bad))
  summary+=("$(printf '%-13s %5d passed %3d failed %5d s' \
    "$stage" "$good" "$bad" $((SECONDS - start)))")
  echo "=== ${summary[-1]}"
}

run_stages() {
  local stage log passed=0 failed=0 summary=()
  (($# > 0)) || set -- "${order[@]}"
  for stage in "$@"; do
    if [[ -z ${stages[$stage]-} ]]; then
      echo "$0: no stage '$stage'; there are: ${!stages[*]}" >&2
      return 2
    fi
  done
  log=$(mktemp)
  for stage in "$@"; do
    _run_stage "$stage" "$log"
  done
  rm -f "$log"
  echo
  printf '%s\n' "${summary[@]}"
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
