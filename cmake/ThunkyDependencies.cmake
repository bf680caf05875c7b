# What the project takes from the system; build_tools/setup.sh installs it.
# HighwayHash has no package configuration: thunky/container finds it.
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
