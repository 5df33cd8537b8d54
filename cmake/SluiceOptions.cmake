option(SLUICE_FUZZ "Build only the codecs and their libFuzzer targets (needs clang)" OFF)
set(SLUICE_SANITIZE "" CACHE STRING "Sanitizers: empty, 'address,undefined' or 'thread'")
set(SLUICE_MARCH "x86-64-v3" CACHE STRING "Value of -march for our own code")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_compile_options(-march=${SLUICE_MARCH})
if(SLUICE_SANITIZE)
  add_compile_options(-fsanitize=${SLUICE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SLUICE_SANITIZE})
endif()
if(SLUICE_SANITIZE STREQUAL "thread")
  # DPDK's inline rings are otherwise ordered by plain fences, which TSan cannot see.
  add_compile_definitions(RTE_USE_C11_MEM_MODEL)
endif()
