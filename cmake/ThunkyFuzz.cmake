# Fuzz targets.
#
#   thunky_cc_fuzz_target(NAME ptx_fuzz SRCS ptx_fuzz.cc DEPS ptx
#                         SEEDS ${CMAKE_SOURCE_DIR}/test/kernels/ptx/*.ptx MAX_LENGTH 65536)
#
# SRCS define LLVMFuzzerTestOneInput. SEEDS are patterns of files to start from.
# With THUNKY_FUZZ the target is a libFuzzer program in BUILD/fuzz, which
# fuzz_targets builds and build_tools/ci/fuzz.sh runs; BUILD/fuzz/targets.txt
# lists them. Without, it is a test that runs every seed as it is and damaged.

set(THUNKY_FUZZ_FOLDER ${CMAKE_BINARY_DIR}/fuzz)
file(WRITE ${THUNKY_FUZZ_FOLDER}/targets.txt "")
add_custom_target(fuzz_targets)

# Copies the files of `patterns` to `folder` under names that tell them apart.
function(_thunky_collect_seeds folder patterns)
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder})
  file(GLOB files CONFIGURE_DEPENDS ${patterns})
  foreach(file ${files})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${file})
    string(REPLACE "/" "." name ${path})
    file(COPY_FILE ${file} ${folder}/${name})
  endforeach()
  if(NOT files)
    message(FATAL_ERROR "No file matches the seeds ${patterns}")
  endif()
endfunction()

function(thunky_cc_fuzz_target)
  cmake_parse_arguments(ARG "" "NAME;MAX_LENGTH" "SRCS;DEPS;EXTERNAL;SEEDS" ${ARGN})
  set(seeds ${THUNKY_FUZZ_FOLDER}/seeds/${ARG_NAME})
  _thunky_collect_seeds(${seeds} "${ARG_SEEDS}")
  if(THUNKY_FUZZ)
    add_executable(${ARG_NAME} EXCLUDE_FROM_ALL ${ARG_SRCS})
    target_link_options(${ARG_NAME} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzz_targets ${ARG_NAME})
    file(APPEND ${THUNKY_FUZZ_FOLDER}/targets.txt
         "${ARG_NAME} ${seeds} ${ARG_MAX_LENGTH}\n")
  else()
    add_executable(${ARG_NAME} ${ARG_SRCS} ${CMAKE_SOURCE_DIR}/test/fuzz/replay_main.cc)
    add_test(NAME fuzz.${ARG_NAME} COMMAND ${ARG_NAME} ${seeds})
    set_tests_properties(fuzz.${ARG_NAME} PROPERTIES LABELS fuzz TIMEOUT 600)
  endif()
  set_target_properties(${ARG_NAME} PROPERTIES
                        RUNTIME_OUTPUT_DIRECTORY ${THUNKY_FUZZ_FOLDER})
  _thunky_link(${ARG_NAME} PRIVATE DEPS ${ARG_DEPS} EXTERNAL ${ARG_EXTERNAL})
endfunction()
