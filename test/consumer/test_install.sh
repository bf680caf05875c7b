#!/usr/bin/env bash
# Installs a build to a fresh folder, moves that, and builds and runs a project that finds
# thunky there.
#
#   test_install.sh BUILD runtime|full CXX_COMPILER TEST_DATA
set -euo pipefail

readonly build=$1 component=$2 compiler=$3 data=$4
readonly project=$(cd "$(dirname "$0")" && pwd)/project
readonly work=$build/install_test/$component
readonly prefix=$work/prefix

fail() {
  echo "test_install.sh: $*" >&2
  exit 1
}

# configure NAME COMPONENTS...: the project in a fresh folder of its own.
configure() {
  local folder=$work/$1
  shift
  cmake -G Ninja -S "$project" -B "$folder" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" -Dcomponents="$*" 2>&1
}

rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/elsewhere" --component runtime >/dev/null
if [[ $component == full ]]; then
  cmake --install "$build" --prefix "$work/elsewhere" --component full >/dev/null
fi
mv "$work/elsewhere" "$prefix"

# Nothing refers to the build, and every library is found.
while read -r object; do
  path=$(readelf -d "$object" | sed -n 's/.*(R\(UN\)\?PATH).*\[\(.*\)\]/\2/p')
  [[ $path != *"$build"* ]] || fail "$object: looks for libraries in the build: $path"
  if ldd "$object" | grep 'not found'; then fail "$object: needs libraries that are not found"; fi
done < <(find "$prefix/bin" "$prefix/lib" -type f \( -perm -u+x -o -name '*.so' \))

# Only what the interface consists of.
internal=$(cd "$prefix/include" && find . -type f ! -path './thunky/run.h' \
  ! -path './thunky/thunky.h' ! -path './thunky/api/*.h' ! -path './thunky/frontend/*.h')
[[ -z $internal ]] || fail "headers that are not part of the interface: $internal"

"$prefix/bin/thunky" run "$data/programs/donated_parameter.textproto" --fill zeros >/dev/null ||
  fail "the installed program does not run"
if [[ $component == full ]]; then
  "$prefix/bin/thunky" import "$data/programs/saxpy.textproto" -o "$work/saxpy.mlir"
fi

configure project "$component"
cmake --build "$work/project"
"$work/project/run_program" "$data/fixtures/jax-0.11.2-ptx/saxpy"
if [[ $component == full ]]; then
  "$work/project/run_program" "$data/fixtures/jax-0.11.2-ptx/saxpy" "$work/saxpy.mlir"
  "$work/project/write_program" "$work"
  # The command line takes what a program saved.
  "$prefix/bin/thunky" run "$work/copy.thunky" --fill random >/dev/null
  exit 0
fi

# What is not there is named.
if answer=$(configure asks_for_full runtime full); then
  fail "component full was found where it is not"
fi
grep -q "component 'full' is not" <<<"$answer" || fail "no word of component full in: $answer"
