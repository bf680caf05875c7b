# Checks of the source tree and of what was built, as tests with the label lint.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(tools ${CMAKE_SOURCE_DIR}/build_tools)
add_test(NAME lint.layers COMMAND Python3::Interpreter -B ${tools}/check_layers.py)
add_test(NAME lint.style COMMAND Python3::Interpreter -B ${tools}/check_style.py)
add_test(NAME lint.needed_libraries
         COMMAND ${tools}/check_needed_libraries.sh ${CMAKE_BINARY_DIR})
add_test(NAME lint.checks_fail_on_bad_trees
         COMMAND Python3::Interpreter -B ${tools}/checks_test.py)

# The header sets of the shared libraries are what is installed.
set(header_sets $<TARGET_PROPERTY:thunky_api,HEADER_SET>)
if(THUNKY_HAS_COMPILER)
  list(APPEND header_sets $<TARGET_PROPERTY:thunky_frontend,HEADER_SET>)
endif()
add_test(NAME lint.public_headers
         COMMAND Python3::Interpreter -B ${tools}/check_public_headers.py
                 --compiler ${CMAKE_CXX_COMPILER} --include ${CMAKE_SOURCE_DIR}
                 ${header_sets}
         COMMAND_EXPAND_LISTS)
add_test(NAME lint.exported_symbols
         COMMAND Python3::Interpreter -B ${tools}/check_exported_symbols.py
                 $<TARGET_FILE:thunky_api>)
set_tests_properties(
  lint.layers lint.style lint.needed_libraries lint.checks_fail_on_bad_trees
  lint.public_headers lint.exported_symbols PROPERTIES LABELS lint TIMEOUT 120)
