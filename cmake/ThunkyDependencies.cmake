# What the project takes from the system; build_tools/setup.sh installs it.
find_package(absl REQUIRED)
find_package(Protobuf 3.21 REQUIRED)
find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SNAPPY REQUIRED IMPORTED_TARGET snappy)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(BROTLI REQUIRED IMPORTED_TARGET libbrotlidec)
find_package(ZLIB REQUIRED)

# Debian's libhighwayhash-dev; it has no package configuration of its own.
find_path(HIGHWAYHASH_INCLUDE_DIR highwayhash/c_bindings.h REQUIRED)
find_library(HIGHWAYHASH_LIBRARY highwayhash REQUIRED)
add_library(thunky_highwayhash UNKNOWN IMPORTED)
set_target_properties(thunky_highwayhash PROPERTIES
  IMPORTED_LOCATION ${HIGHWAYHASH_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${HIGHWAYHASH_INCLUDE_DIR})

# The CUDA toolkit's headers, where they are: the device layer for NVIDIA GPUs is built then.
# Programs start without a driver all the same.
find_path(THUNKY_CUDA_INCLUDE_DIR cuda.h
          HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES include)
set(THUNKY_HAS_CUDA OFF)
if(THUNKY_CUDA_INCLUDE_DIR)
  set(THUNKY_HAS_CUDA ON)
  add_library(thunky_cuda_headers INTERFACE)
  target_include_directories(thunky_cuda_headers SYSTEM INTERFACE ${THUNKY_CUDA_INCLUDE_DIR})
else()
  message(NOTICE "cuda.h was not found: thunky is built without devices for NVIDIA GPUs")
endif()
