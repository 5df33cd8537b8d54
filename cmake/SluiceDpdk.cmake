# DPDK as a target. pkg-config's own flags are not used as they are: they contain -march=corei7,
# which would silently take AVX2 away from our code, and plain -I, which would apply our warnings.
find_package(PkgConfig REQUIRED)
pkg_check_modules(DPDK REQUIRED libdpdk>=22.11)

add_library(sluice_dpdk INTERFACE)
target_include_directories(sluice_dpdk SYSTEM INTERFACE ${DPDK_INCLUDE_DIRS})
target_compile_definitions(sluice_dpdk INTERFACE ALLOW_EXPERIMENTAL_API)
target_compile_options(sluice_dpdk INTERFACE -include rte_config.h)
target_link_libraries(sluice_dpdk INTERFACE ${DPDK_LINK_LIBRARIES})
add_library(sluice::dpdk ALIAS sluice_dpdk)
