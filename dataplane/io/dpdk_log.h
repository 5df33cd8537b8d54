// DPDK's own log. While sluiced starts its lines are held back: a failure is one line of ours that
// quotes DPDK's first complaint. Once it runs they appear in our log.
#pragma once

#include <string>

namespace sluice::io {

// Call before rte_eal_init.
void hold_dpdk_log();

// The first line held back since the last call, in quotes and with a blank before it; or nothing.
std::string quote_dpdk_log();

// Writes what is held back to our log, and every later line at once.
void release_dpdk_log();

}  // namespace sluice::io
