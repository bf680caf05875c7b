# Tests of text: lit runs commands that stand in the files, FileCheck looks at what they
# print. Each folder below test/lit is a ctest with the label lit.

find_program(THUNKY_LIT NAMES lit-22 lit REQUIRED)
find_program(THUNKY_FILECHECK NAMES FileCheck-22 FileCheck PATHS /usr/lib/llvm-22/bin REQUIRED)
find_program(THUNKY_NOT NAMES not-22 not PATHS /usr/lib/llvm-22/bin REQUIRED)
find_program(THUNKY_SPLIT_FILE NAMES split-file-22 split-file PATHS /usr/lib/llvm-22/bin REQUIRED)

# thunky_lit_suite(FOLDER): the tests in a folder beside the calling CMakeLists.txt.
function(thunky_lit_suite folder)
  add_test(NAME lit.${folder}
           COMMAND ${THUNKY_LIT} -v --no-progress-bar ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  set_tests_properties(lit.${folder} PROPERTIES LABELS lit TIMEOUT 300
    ENVIRONMENT "THUNKY_BIN=${CMAKE_BINARY_DIR}/bin;THUNKY_SOURCE=${CMAKE_SOURCE_DIR};THUNKY_LIT_OUT=${CMAKE_CURRENT_BINARY_DIR}/out;THUNKY_FILECHECK=${THUNKY_FILECHECK};THUNKY_NOT=${THUNKY_NOT};THUNKY_SPLIT_FILE=${THUNKY_SPLIT_FILE}")
endfunction()
