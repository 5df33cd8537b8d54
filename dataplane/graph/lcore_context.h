// What the nodes of one lcore's graph share: its counters, its queues and the functions' state.
#pragma once

#include <rte_mempool.h>
#include <rte_ring.h>

#include <array>
#include <cstdint>
#include <vector>

#include "dataplane/graph/counters.h"
#include "dataplane/graph/ids.h"
#include "dataplane/graph/token_bucket.h"

namespace sluice {

namespace forwarding {
struct State;
}
namespace io {
struct TxQueue;
}

struct RxQueue {
  uint16_t dpdk_port;
  uint16_t queue;
  PortNumber port;
};

struct LcoreContext {
  unsigned index = 0;                           // 0, 1, ... among the workers
  std::vector<RxQueue> rx_queues;               // polled in turn by port_rx
  std::vector<io::TxQueue*> tx_queues;          // by PortNumber
  rte_ring* inject_ring = nullptr;              // frames of the agent; only one lcore has it
  rte_ring* punt_ring = nullptr;                // to the agent
  rte_mempool* pool = nullptr;                  // for copies
  const forwarding::State* forwarding = nullptr;
  std::array<TokenBucket, kPuntCauseCount> punt_buckets;
  LcoreCounters counters;
  uint32_t seen_in_walk = 0;                    // packets that entered in the current walk: 0 is idle
};

}  // namespace sluice
