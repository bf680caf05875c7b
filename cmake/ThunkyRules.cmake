# Build rules with visible edges.
#
#   thunky_cc_library(NAME hal HDRS a.h SRCS a.cc DEPS base EXTERNAL absl::status)
#   thunky_cc_test(NAME memory_test SRCS memory_test.cc DEPS hal)
#   thunky_cc_binary(NAME thunky SRCS thunky.cc DEPS tooling)
#
# DEPS are the project's own libraries by their short names; EXTERNAL are targets
# of other projects. build_tools/check_layers.py holds includes to the layer table.

add_library(thunky_flags INTERFACE)
target_include_directories(thunky_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
target_compile_options(thunky_flags INTERFACE -Wall -Wextra -Wno-unused-parameter
                       -Wno-missing-field-initializers)
if(THUNKY_WERROR)
  target_compile_options(thunky_flags INTERFACE -Werror)
endif()
if(THUNKY_SANITIZE)
  target_compile_options(thunky_flags INTERFACE -fsanitize=${THUNKY_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(thunky_flags INTERFACE -fsanitize=${THUNKY_SANITIZE})
endif()
if(THUNKY_FUZZ)
  # Clang warns of GCC's loop pragmas, and of GCC's own library in std::stable_sort.
  target_compile_options(thunky_flags INTERFACE -fsanitize=fuzzer-no-link
                         -Wno-unknown-pragmas -Wno-deprecated-declarations)
endif()

find_program(THUNKY_CCACHE ccache)
if(THUNKY_CCACHE)
  # Precompiled headers and ccache work together only with this sloppiness. Paths
  # below the base are hashed as relative ones, so that build folders share entries.
  set(launcher ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      ${THUNKY_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()

# Tests compile longer than they run.
set(THUNKY_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)

include(ThunkyPrecompile)
thunky_define_precompiled_headers()

function(_thunky_link target visibility)
  cmake_parse_arguments(ARG "" "" "DEPS;EXTERNAL" ${ARGN})
  target_link_libraries(${target} ${visibility} thunky_flags)
  foreach(dep ${ARG_DEPS})
    target_link_libraries(${target} ${visibility} thunky_${dep})
  endforeach()
  target_link_libraries(${target} ${visibility} ${ARG_EXTERNAL})
endfunction()

function(thunky_cc_library)
  cmake_parse_arguments(ARG "" "NAME" "HDRS;SRCS;DEPS;EXTERNAL" ${ARGN})
  set(target thunky_${ARG_NAME})
  if(ARG_SRCS)
    add_library(${target} STATIC ${ARG_SRCS} ${ARG_HDRS})
    _thunky_link(${target} PUBLIC DEPS ${ARG_DEPS} EXTERNAL ${ARG_EXTERNAL})
    thunky_use_precompiled_headers(${target} library "${ARG_DEPS}")
  else()
    add_library(${target} INTERFACE ${ARG_HDRS})
    _thunky_link(${target} INTERFACE DEPS ${ARG_DEPS} EXTERNAL ${ARG_EXTERNAL})
  endif()
  # Every header must compile alone.
  foreach(header ${ARG_HDRS})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    string(MAKE_C_IDENTIFIER ${path} id)
    set(unit ${CMAKE_BINARY_DIR}/header_tests/${id}.cc)
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"@path@\"\n" @ONLY)
    list(APPEND units ${unit})
  endforeach()
  if(units)
    add_library(${target}_headers OBJECT EXCLUDE_FROM_ALL ${units})
    target_link_libraries(${target}_headers PRIVATE ${target})
    target_compile_options(${target}_headers PRIVATE -O0)
    set_property(GLOBAL APPEND PROPERTY THUNKY_HEADER_TESTS ${target}_headers)
  endif()
endfunction()

# The target header_tests compiles every header of every library alone.
function(thunky_header_tests)
  get_property(targets GLOBAL PROPERTY THUNKY_HEADER_TESTS)
  add_custom_target(header_tests)
  add_dependencies(header_tests ${targets})
endfunction()

# A program for people. The target `programs` builds all of them and nothing else.
add_custom_target(programs)
function(thunky_cc_binary)
  cmake_parse_arguments(ARG "" "NAME" "SRCS;DEPS;EXTERNAL" ${ARGN})
  add_executable(${ARG_NAME} ${ARG_SRCS})
  _thunky_link(${ARG_NAME} PRIVATE DEPS ${ARG_DEPS} EXTERNAL ${ARG_EXTERNAL})
  add_dependencies(programs ${ARG_NAME})
endfunction()

# A GoogleTest binary; each of its tests is a ctest of its own.
# DATA: a folder the test finds in the environment variable THUNKY_TEST_DATA.
function(thunky_cc_test)
  cmake_parse_arguments(ARG "" "NAME;DATA;TIMEOUT" "SRCS;DEPS;EXTERNAL;LABELS" ${ARGN})
  add_executable(${ARG_NAME} ${ARG_SRCS})
  set_target_properties(${ARG_NAME} PROPERTIES
                        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  _thunky_link(${ARG_NAME} PRIVATE DEPS ${ARG_DEPS}
               EXTERNAL ${ARG_EXTERNAL} GTest::gmock GTest::gtest GTest::gtest_main)
  target_compile_options(${ARG_NAME} PRIVATE ${THUNKY_TEST_OPTIONS})
  thunky_use_precompiled_headers(${ARG_NAME} test "${ARG_DEPS}")
  if(NOT ARG_DATA)
    set(ARG_DATA ${CMAKE_SOURCE_DIR}/test)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(THUNKY_SANITIZE)
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 5")
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  include(GoogleTest)
  # Each property has one value: lists come apart on their way through.
  gtest_discover_tests(${ARG_NAME} DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES PROPERTIES
    ENVIRONMENT "THUNKY_TEST_DATA=${ARG_DATA}"
    ENVIRONMENT_MODIFICATION "THUNKY_BIN=set:${CMAKE_BINARY_DIR}/bin"
    TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
