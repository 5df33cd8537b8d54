// One transmit queue of a port, as an lcore sees it.
#pragma once

#include <rte_spinlock.h>

#include <cstdint>

namespace sluice::io {

struct TxQueue {
  uint16_t dpdk_port = 0;
  uint16_t queue = 0;
  bool shared = false;  // a port with fewer queues than lcores: senders take turns
  rte_spinlock_t lock = RTE_SPINLOCK_INITIALIZER;
};

}  // namespace sluice::io
