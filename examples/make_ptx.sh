#!/bin/sh
# Makes the .ptx file beside each .cu file with CUDA's compiler. The PTX is committed, so
# that the examples need no CUDA; run this after a change of a kernel. (saxpy.ptx is
# written by hand, jax_softmax.ptx by JAX.)
#
#   NVCC=/path/to/nvcc ./make_ptx.sh [kernel.cu ...]
set -eu
cd "$(dirname "$0")"
nvcc=${NVCC:-/usr/local/cuda/bin/nvcc}
[ $# -gt 0 ] || set -- *.cu
for source in "$@"; do
  "$nvcc" -ptx -arch=sm_80 -O3 -std=c++17 -o "$(basename "$source" .cu).ptx" "$source"
done
