#!/bin/sh
# Makes ptx/*.ptx from cuda/*.cu with CUDA's compiler. The PTX is committed, so
# that tests need no CUDA; run this after a change of a kernel.
#
#   NVCC=/path/to/nvcc ./make_ptx.sh [kernel.cu ...]
set -eu
cd "$(dirname "$0")"
nvcc=${NVCC:-/usr/local/cuda/bin/nvcc}
[ $# -gt 0 ] || set -- cuda/*.cu
for source in "$@"; do
  "$nvcc" -ptx -arch=sm_80 -O3 -std=c++17 -o "ptx/$(basename "$source" .cu).ptx" "$source"
done
