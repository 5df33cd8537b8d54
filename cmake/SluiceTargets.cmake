# Warnings for code of ours; never for code that is generated or included from a package.
add_library(sluice_warnings INTERFACE)
target_compile_options(sluice_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
if(SLUICE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 then sees uninitialised reads where there are none, as in std::regex (GCC bug 105562).
  target_compile_options(sluice_warnings INTERFACE -Wno-maybe-uninitialized)
endif()

# A folder's library. Its DEPENDS are the folders and packages that DESIGN's table allows.
#   sluice_library(NAME SOURCES a.cpp ... DEPENDS sluice::wire ...)
function(sluice_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  if(arg_SOURCES)
    add_library(sluice_${name} STATIC ${arg_SOURCES})
    target_include_directories(sluice_${name} PUBLIC ${CMAKE_SOURCE_DIR})
    target_link_libraries(sluice_${name} PUBLIC ${arg_DEPENDS} PRIVATE sluice_warnings)
  else()
    add_library(sluice_${name} INTERFACE)
    target_include_directories(sluice_${name} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(sluice_${name} INTERFACE ${arg_DEPENDS})
  endif()
  add_library(sluice::${name} ALIAS sluice_${name})
endfunction()

# A gtest program, one ctest entry named GROUP.NAME, labelled with its group.
#   sluice_test(GROUP NAME SOURCES ... DEPENDS ... [TIMEOUT seconds])
function(sluice_test group name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${group}_${name} ${arg_SOURCES})
  target_compile_definitions(${group}_${name} PRIVATE
    SLUICE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SLUICE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_link_libraries(${group}_${name} PRIVATE ${arg_DEPENDS} GTest::gtest_main sluice_warnings)
  add_test(NAME ${group}.${name} COMMAND ${group}_${name})
  set_tests_properties(${group}.${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS ${group})
endfunction()
