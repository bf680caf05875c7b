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
