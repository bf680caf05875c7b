#!/usr/bin/env bash
# Fails when a program or shared library of a build needs, directly, a shared
# library that a plain installation may lack.
#
#   build_tools/check_needed_libraries.sh build
#
# Reads the dynamic sections of everything in BUILD/bin and of every shared
# library below BUILD. A build without BUILD/bin/thunky is an error too.
set -euo pipefail

readonly build=${1:?usage: $0 BUILD_FOLDER}

# Name prefixes up to ".so".
readonly allowed='^(libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|ld-linux-x86-64|ld-linux-aarch64|libasan|libubsan|libtsan|libabsl_[a-z0-9_]+|libprotobuf|libsnappy|libzstd|libbrotli(dec|enc|common)|libz|libhighwayhash|libthunky[a-z_]*)\.so(\.[0-9.]+)?$'

# The compiler alone may need MLIR; a program that runs executables starts without.
readonly compiler='^(libthunky(_compiler)?\.so|thunky-opt|thunky-lsp-server|compiler_[a-z_]*_test|[a-z_]*_fuzz|compiler_benchmark)$'
readonly mlir='^lib(MLIR|LLVM)\.so(\.[0-9.]+)?$'

if [[ ! -x $build/bin/thunky ]]; then
  echo "$build/bin/thunky: expected the built program, found nothing" >&2
  exit 1
fi

mapfile -t objects < <(
  find "$build/bin" -type f -executable
  find "$build" -type f -name '*.so*' -not -path "$build/bin/*" -not -path "$build/install_test/*"
)

bad=0
for object in "${objects[@]}"; do
  # A script in bin has no dynamic section, and needs none.
  head -c 4 "$object" | grep -qaF $'\x7fELF' || continue
  while read -r library; do
    [[ $library =~ $mlir && $(basename "$object") =~ $compiler ]] && continue
    if [[ ! $library =~ $allowed ]]; then
      echo "$object: needs $library, which is not on the list of allowed libraries" >&2
      bad=1
    fi
  done < <(readelf -d "$object" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
done
((bad == 0)) && echo "needed libraries: ${#objects[@]} files need only allowed ones"
exit "$bad"
