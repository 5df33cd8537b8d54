// DPDK for tests: ordinary pages, no devices of the machine, workers on the first CPUs.
#pragma once

#include <algorithm>
#include <thread>

namespace sluice::testing {

// EAL lcores 1 to this are there for workers.
inline unsigned worker_count() { return std::clamp(std::thread::hardware_concurrency(), 1u, 2u); }

}  // namespace sluice::testing
